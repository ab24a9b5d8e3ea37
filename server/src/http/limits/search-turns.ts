import { takeTurn } from '../../domain/foundation/take-turn.ts';
import { Turns } from '../../platform/processes/turns.ts';

const mostAtOnce = 2;
/** Of a show. A reader who types has at most one. */
const mostWaiting = 20;

interface SearchOwner {
  readonly podcastId: string;
  /** The network of its client. */
  readonly client: string;
  /** Aborts when the client leaves. */
  readonly left: AbortSignal;
}

/**
 * Limits how many searches use the database at once, so that they delay nothing else. Shows take turns, one search at
 * a time, and so do the networks that search one show. A network that searches many shows waits for a few at a time.
 */
export class SearchTurns {
  readonly #turns: Turns;

  /** `connections`: those of the pool. The embedded database has one. */
  constructor(connections: number) {
    const limits = { mostOfOwner: 1, mostWaitingOfOwner: mostWaiting };
    this.#turns = new Turns(Math.min(mostAtOnce, connections), limits);
  }

  /**
   * Runs `search` when it is its turn. Throws 503 if too many of the show wait, and this network has most of them;
   * and the reason of `left`.
   */
  async run<T>({ podcastId, client, left }: SearchOwner, search: () => Promise<T>): Promise<T> {
    const claim = { owner: podcastId, client, signal: left };
    using _turn = await takeTurn(this.#turns, claim, refusal, retryAfterSeconds);
    return await search();
  }
}

const refusal = 'Too many searches are waiting. Try again in a moment.';
const retryAfterSeconds = 2;
