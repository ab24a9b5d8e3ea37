import type { ServerResponse } from 'node:http';
import { DomainError } from '../../domain/foundation/errors.ts';

/** Less than DATABASE_POOL usually is, so that slow requests of one user leave connections to others. */
const mostAtWork = 8;
/** A program may send its requests of a minute at once, a browser a hundred through a proxy. */
const mostWaiting = 600;
/** Less than a connection may be idle, so that a response arrives. */
const longestWaitMs = 60_000;

interface Share {
  atWork: number;
  /** In their order; each begins its request. */
  readonly waiting: Set<() => void>;
}

/** How much of this process the requests of one user or one secret may have at once. */
export class WorkShares {
  readonly #shares = new Map<string, Share>();
  readonly #taken = new WeakMap<ServerResponse, (() => void)[]>();

  /**
   * Resolves when the request may begin its work, which ends with its response. Requests beyond
   * `mostAtWork` wait. Throws 429 if too many do, or for too long.
   */
  async begin(who: string, response: ServerResponse): Promise<void> {
    const share = this.#shares.get(who) ?? { atWork: 0, waiting: new Set() };
    if (share.atWork >= mostAtWork) await wait(share, response);
    else share.atWork += 1;
    this.#shares.set(who, share);
    const taken = this.#taken.get(response) ?? [];
    taken.push(() => this.#leave(who, share));
    if (taken.length === 1) {
      this.#taken.set(response, taken);
      for (const event of ['finish', 'close']) response.once(event, () => this.end(response));
    }
    // It had no response to end any more.
    if (response.destroyed) this.end(response);
  }

  /** Before the end of the response, for streams that have a limit of their own. */
  end(response: ServerResponse): void {
    for (const leave of this.#taken.get(response)?.splice(0) ?? []) leave();
  }

  #leave(who: string, share: Share): void {
    const [next] = share.waiting;
    if (next === undefined) share.atWork -= 1;
    else next();
    if (share.atWork === 0) this.#shares.delete(who);
  }
}

/** Resolves when another request has left its place to this one. */
async function wait({ waiting }: Share, response: ServerResponse): Promise<void> {
  if (waiting.size >= mostWaiting) throw refuse();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // At once, so that nobody leaves a place to a request that has given up.
  const giveUp = () => {
    waiting.delete(begin);
    reject(refuse());
  };
  const begin = () => {
    waiting.delete(begin);
    resolve();
  };
  waiting.add(begin);
  const timer = setTimeout(giveUp, longestWaitMs);
  response.once('close', giveUp);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    response.off('close', giveUp);
  }
}

function refuse(): DomainError {
  const message = 'Too many of your requests are running. Try again shortly.';
  return new DomainError('rate_limited', message, { retryAfterSeconds: 5 });
}
