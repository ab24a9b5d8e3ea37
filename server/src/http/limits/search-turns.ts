import { DomainError } from '../../domain/foundation/errors.ts';
import { Turns } from '../../platform/processes/turns.ts';
import { takeTurn } from './take-turn.ts';

const mostAtOnce = 2;
/** Of a show. A reader who types has at most one. */
const mostWaiting = 20;

/**
 * Limits how many searches use the database at once, so that they delay nothing else. Shows take turns, one search at
 * a time.
 */
export class SearchTurns {
  readonly #turns: Turns;
  readonly #waiting = new Map<string, number>();

  /** `connections`: those of the pool. The embedded database has one. */
  constructor(connections: number) {
    this.#turns = new Turns(Math.min(mostAtOnce, connections), { mostOfOwner: 1 });
  }

  /**
   * Runs `search` when it is the show's turn. Throws 503 if too many wait, and the reason of `left`, which aborts when
   * the client leaves.
   */
  async run<T>(podcastId: string, left: AbortSignal, search: () => Promise<T>): Promise<T> {
    const waiting = this.#waiting.get(podcastId) ?? 0;
    if (waiting >= mostWaiting) {
      throw new DomainError('service_unavailable', refusal, { retryAfterSeconds: 2 });
    }
    this.#waiting.set(podcastId, waiting + 1);
    using _turn = await this.#begin(podcastId, left);
    return await search();
  }

  async #begin(podcastId: string, left: AbortSignal): Promise<Disposable> {
    try {
      return await takeTurn(this.#turns, { owner: podcastId, signal: left }, refusal);
    } finally {
      const waiting = (this.#waiting.get(podcastId) ?? 0) - 1;
      if (waiting > 0) this.#waiting.set(podcastId, waiting);
      else this.#waiting.delete(podcastId);
    }
  }
}

const refusal = 'Too many searches are waiting. Try again in a moment.';
