import { DomainError } from '../../domain/foundation/errors.ts';

interface StreamLimits {
  readonly mostOfOneUser: number;
  readonly mostOfAll: number;
  /** For a user who has too many. */
  readonly message: string;
}

/** A user with several open windows needs only a few. */
export const eventStreamLimits: StreamLimits = {
  mostOfOneUser: 20,
  mostOfAll: 2_000,
  message: 'Too many windows are open.',
};

/** Limits the streams of one kind that are open in this process. */
export class StreamCount {
  readonly #limits: StreamLimits;
  readonly #ofUsers = new Map<string, number>();
  #all = 0;

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  /** Throws 429 if the user has too many, or if all have. */
  add(userId: string): void {
    const { mostOfOneUser, mostOfAll, message } = this.#limits;
    const own = this.#ofUsers.get(userId) ?? 0;
    if (own >= mostOfOneUser || this.#all >= mostOfAll) {
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
