import { takeTurn } from '../../domain/foundation/take-turn.ts';
import { Turns } from '../../platform/processes/turns.ts';

const mostAtOnce = 2;
const slowMs = 50;
/** Of a process. Beyond it, the one who was slow first is forgotten. */
const mostSlowUsers = 1_000;

/**
 * Limits how many reads of members use the database at once. Users take turns, one read at a time. Those
 * whose last read was slow have half of the turns, so that others never wait for two slow reads. One
 * instance is for statements that read all episodes of a user's shows, such as home pages, searches and
 * health checks: with 100,000 episodes, each takes hundreds of milliseconds. Another one is for events: an
 * edit makes each of a thousand open windows read what has changed.
 */
export class ReadTurns {
  readonly #turns: Turns;
  /** In the order in which they became slow. */
  readonly #slowUsers = new Set<string>();

  /** `connections`: those of the pool. The embedded database has one, which a second would wait for. */
  constructor(connections: number) {
    this.#turns = new Turns(Math.min(mostAtOnce, connections), { mostOfOwner: 1 });
  }

  /**
   * Runs `read` when it is the user's turn, which lasts until `read` ends, even if its client has left: the
   * database goes on with its statement. Throws 503 if too many wait, and the reason of `left`, which
   * aborts when the client leaves.
   */
  async run<T>(userId: string, left: AbortSignal, read: () => Promise<T>): Promise<T> {
    const claim = { owner: userId, isLong: this.#slowUsers.has(userId), signal: left };
    using _turn = await takeTurn(this.#turns, claim, 'Too many of your requests are waiting.');
    const begunAt = performance.now();
    try {
      return await read();
    } finally {
      this.#note(userId, performance.now() - begunAt);
    }
  }

  #note(userId: string, ms: number): void {
    if (ms <= slowMs) {
      this.#slowUsers.delete(userId);
      return;
    }
    this.#slowUsers.add(userId);
    if (this.#slowUsers.size <= mostSlowUsers) return;
    const [first = ''] = this.#slowUsers;
    this.#slowUsers.delete(first);
  }
}
