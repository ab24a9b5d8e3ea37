import { DomainError } from '../domain/foundation/errors.ts';

/** A user with several open windows needs only a few. */
const mostOfOneUser = 20;
const mostOfAll = 2_000;

/** Limits the streams of events that are open in this process. */
export class EventStreamCount {
  readonly #ofUsers = new Map<string, number>();
  #all = 0;

  /** Throws 429 if the user has too many. The client then polls instead. */
  add(userId: string): void {
    const own = this.#ofUsers.get(userId) ?? 0;
    if (own >= mostOfOneUser || this.#all >= mostOfAll) {
      const message = 'Too many windows are watching for changes.';
      throw new DomainError('rate_limited', message, { retryAfterSeconds: 60 });
    }
    this.#ofUsers.set(userId, own + 1);
    this.#all += 1;
  }

  remove(userId: string): void {
    const own = (this.#ofUsers.get(userId) ?? 0) - 1;
    if (own > 0) this.#ofUsers.set(userId, own);
    else this.#ofUsers.delete(userId);
    this.#all -= 1;
  }
}
