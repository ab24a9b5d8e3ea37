import { LRUCache } from 'lru-cache';
import type { Db, Tables } from '../../domain/foundation/database.ts';
import { takeTurn } from '../../domain/foundation/take-turn.ts';
import type { DatabaseConnection } from '../../platform/database/database.ts';
import { Turns } from '../../platform/processes/turns.ts';
import { type Waiter, Waiters } from './waiters.ts';

type Database = Pick<DatabaseConnection<Tables>, 'pool' | 'queryInTurns'>;

/** Parts of the pool's connections; the embedded database has only one. The rest is for accounts. */
const partOfAll = 0.8;
const partOfShow = 0.4;

/** In a process. Beyond it, those that were requested least recently are forgotten. */
const mostKnownNames = 10_000;

/** What a public request asks for, and which network it comes from. */
export interface PublicRequest {
  /** A slug, an episode, an image; undefined if its path names nothing. */
  readonly name: string | undefined;
  readonly network: string;
}

/** Where somebody without a session comes from: a `clientNetwork`, and its `blockOfNetwork`. */
export interface Visitor {
  readonly network: string;
  readonly block: string;
}

/**
 * Lets the public reads of each show use only a part of the database's connections at once, so that
 * they delay neither those of other shows nor accounts. Shows take turns, statement by statement, and so do
 * the networks that read one show. Networks also do for what belongs to no show that is known: anyone can
 * invent any number of names and secrets, and each of them would have turns of its own.
 */
export class PublicReads {
  readonly #database: Database;
  readonly #turns: Turns;
  /** The show of each name, so that a popular show has one turn, whichever networks ask for it. */
  readonly #shows = new LRUCache<string, string>({
    maxSize: mostKnownNames,
    sizeCalculation: () => 1,
  });

  constructor(database: Database) {
    const connections = database.pool.options.max;
    const partOf = (part: number) => Math.max(1, Math.floor(connections * part));
    this.#database = database;
    this.#turns = new Turns(partOf(partOfAll), { mostOfOwner: partOf(partOfShow) });
  }

  /** Begins a public request. `leaving` aborts when its client leaves. */
  begin({ name, network }: PublicRequest, leaving: AbortSignal): PublicRead {
    const show = name === undefined ? undefined : this.#shows.get(name);
    const onShow = (podcastId: string) => {
      if (name !== undefined && show !== podcastId) this.#shows.set(name, podcastId);
    };
    return new PublicRead(this.#database, this.#turns, { show, network, leaving, onShow });
  }

  /**
   * For whoever isn't signed in. Their first statement is given up when the client leaves, and refused with 503 if
   * too many wait: of the address that has most. What has begun continues, because it may write.
   */
  ofVisitor({ network, block }: Visitor, leaving: AbortSignal): Db {
    const owner = `visitors of ${block}`;
    const client = network;
    let hasBegun = false;
    return this.#database.queryInTurns(async () => {
      const claim = { owner, client, ...(hasBegun ? { goesFirst: true } : { signal: leaving }) };
      const turn = await takeTurn(this.#turns, claim, refusal);
      hasBegun = true;
      return turn;
    });
  }

  /** For looking up a secret that may be invented. */
  ofSecret(network: string, leaving: AbortSignal): Db {
    const claim = { owner: `secrets of ${network}`, goesFirst: true, signal: leaving };
    return this.#database.queryInTurns(() => takeTurn(this.#turns, claim, refusal));
  }
}

const refusal = 'Too many requests are waiting. Try again shortly.';

interface PublicReader {
  /** Whose turns it takes until it has read its show: those of its network if undefined. */
  readonly show: string | undefined;
  readonly network: string;
  readonly leaving: AbortSignal;
  readonly onShow: (podcastId: string) => void;
}

/** A public request: whose turns its statements take, and who waits for it. */
export class PublicRead {
  readonly #database: Database;
  readonly #turns: Turns;
  #db: Db | undefined;
  #owner: string | undefined;
  readonly #network: string;
  #waiters: Waiters;
  readonly #onShow: (podcastId: string) => void;
  /** Undefined until it was read. */
  #show: string | undefined;
  /**
   * A look-up by name is short. Later only what has had a turn goes first, before what else its network
   * reads.
   */
  #goesFirst = true;

  constructor(database: Database, turns: Turns, reader: PublicReader) {
    this.#database = database;
    this.#turns = turns;
    this.#owner = reader.show;
    this.#network = reader.network;
    this.#waiters = Waiters.one(reader);
    this.#onShow = reader.onShow;
  }

  /**
   * Each statement waits for a turn. Throws 503 if too many requests for the show wait. Made when it is
   * first used: a response from the cache needs none.
   */
  get db(): Db {
    this.#db ??= this.#database.queryInTurns(() => this.#takeTurn());
    return this.#db;
  }

  /** As one of those who wait for what several requests share. */
  get waiter(): Waiter {
    return { network: this.#network, leaving: this.#waiters.left };
  }

  async #takeTurn(): Promise<Disposable> {
    const show = this.#show;
    const claimOf = (client = this.#network) => {
      const owner = this.#owner ?? `names of ${client}`;
      return { owner, client, goesFirst: this.#goesFirst };
    };
    const turn = await this.#waiters.takeTurn(this.#turns, claimOf, refusal);
    if (show === this.#show) this.#goesFirst = true;
    return turn;
  }

  /** From now on, it takes the turns of this show. */
  isAbout(podcastId: string): void {
    if (podcastId === this.#show) return;
    this.#show = podcastId;
    this.#owner = podcastId;
    this.#goesFirst = false;
    this.#onShow(podcastId);
  }

  /** Runs `compute`, for whose result others wait, too: its statements also take their turns. */
  async forAll<T>(waiters: Waiters, compute: () => Promise<T>): Promise<T> {
    const own = this.#waiters;
    this.#waiters = waiters;
    try {
      return await compute();
    } finally {
      this.#waiters = own;
    }
  }
}
