import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../domain/foundation/errors.ts';
import { NetworkPlaces } from './network-places.ts';

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

/** Limits the streams of one kind that are open in this process (LIM-22). */
export class StreamCount {
  readonly #limits: StreamLimits;
  readonly #ofUsers = new Map<string, number>();
  readonly #places: NetworkPlaces;

  constructor(limits: StreamLimits, networkOf: (request: IncomingMessage) => string) {
    this.#limits = limits;
    this.#places = new NetworkPlaces({ most: limits.mostOfAll, networkOf });
  }

  /** Counts the stream until it is disposed. Throws 429 if the user or the network has too many. */
  add(userId: string, request: IncomingMessage): Disposable {
    const { mostOfOneUser, message } = this.#limits;
    const own = this.#ofUsers.get(userId) ?? 0;
    if (own >= mostOfOneUser || !this.#places.hasPlace(request)) {
      throw new DomainError('rate_limited', message, { retryAfterSeconds: 60 });
    }
    this.#ofUsers.set(userId, own + 1);
    const place = this.#places.add(request);
    return {
      [Symbol.dispose]: () => {
        this.#remove(userId);
        place[Symbol.dispose]();
      },
    };
  }

  #remove(userId: string): void {
    const own = (this.#ofUsers.get(userId) ?? 0) - 1;
    if (own > 0) this.#ofUsers.set(userId, own);
    else this.#ofUsers.delete(userId);
  }
}
