import type { Db, Tables } from '../../domain/foundation/database.ts';
import type { DatabaseConnection } from '../../platform/database/database.ts';
import { Turns } from '../../platform/processes/turns.ts';
import { takeTurn } from './take-turn.ts';

type Database = Pick<DatabaseConnection<Tables>, 'pool' | 'queryInTurns'>;

/** Parts of the pool's connections; the embedded database has only one. The rest is for accounts. */
const partOfAll = 0.8;
const partOfShow = 0.4;

/**
 * Lets the public reads of each show use only a part of the database's connections at once, so that
 * they delay neither those of other shows nor accounts. Shows take turns, statement by statement.
 */
export class PublicReads {
  readonly #database: Database;
  readonly #turns: Turns;

  constructor(database: Database) {
    const connections = database.pool.options.max;
    const partOf = (part: number) => Math.max(1, Math.floor(connections * part));
    this.#database = database;
    this.#turns = new Turns(partOf(partOfAll), { mostOfOwner: partOf(partOfShow) });
  }

  /** Begins a request for what has this name. `leaving` aborts when its client leaves. */
  begin(name: string, leaving: AbortSignal): PublicRead {
    return new PublicRead(this.#database, this.#turns, `name ${name}`, leaving);
  }
}

const refusal = 'Too many requests for this show are waiting. Try again shortly.';

/** A public request: whose turns its statements take, and who waits for it. */
export class PublicRead {
  readonly #database: Database;
  readonly #turns: Turns;
  #db: Db | undefined;
  #owner: string;
  #waitedFor: AbortSignal;
  /** A look-up by name is short. Later only what has had a turn goes first. */
  #goesFirst = true;

  constructor(database: Database, turns: Turns, owner: string, waitedFor: AbortSignal) {
    this.#database = database;
    this.#turns = turns;
    this.#owner = owner;
    this.#waitedFor = waitedFor;
  }

  /**
   * Each statement waits for a turn. Throws 503 if too many requests for the show wait. Made when it is
   * first used: a response from the cache needs none.
   */
  get db(): Db {
    this.#db ??= this.#database.queryInTurns(() => this.#takeTurn());
    return this.#db;
  }

  /** Aborts when nobody waits for its result any more. */
  get waitedFor(): AbortSignal {
    return this.#waitedFor;
  }

  async #takeTurn(): Promise<Disposable> {
    const owner = this.#owner;
    const claim = { owner, signal: this.#waitedFor, goesFirst: this.#goesFirst };
    const turn = await takeTurn(this.#turns, claim, refusal);
    if (owner === this.#owner) this.#goesFirst = true;
    return turn;
  }

  /** From now on, it takes the turns of this show. */
  isAbout(podcastId: string): void {
    if (podcastId === this.#owner) return;
    this.#owner = podcastId;
    this.#goesFirst = false;
  }

  /** Runs `compute`, for whose result others wait, too: `left` aborts when all of them have left. */
  async forAll<T>(left: AbortSignal, compute: () => Promise<T>): Promise<T> {
    const own = this.#waitedFor;
    this.#waitedFor = left;
    try {
      return await compute();
    } finally {
      this.#waitedFor = own;
    }
  }
}
