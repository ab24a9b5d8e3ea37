import type { OpenSnapshot } from '../../domain/exchange/exports/index.ts';
import type { Db, Tables } from '../../domain/foundation/database.ts';
import { takeTurn } from '../../domain/foundation/take-turn.ts';
import type { DatabaseConnection } from '../../platform/database/database.ts';
import { Turns } from '../../platform/processes/turns.ts';

type Database = Pick<DatabaseConnection<Tables>, 'pool' | 'queryInTurns'> & {
  readonly openSnapshot: OpenSnapshot;
};

/** The embedded database has one connection, which a second statement would wait for. */
const mostStatements = 2;

/**
 * After a snapshot was opened, its user rests for so many times as long as that took: while the embedded
 * database is copied, everyone waits.
 */
const restShare = 10;
const longestRestMs = 300_000;

/** How one export reads the database. */
export interface ExportRead {
  /** Each statement waits for a turn. */
  readonly db: Db;
  readonly openSnapshot: OpenSnapshot;
}

/**
 * Lets exports take turns, so that they never have all connections of the pool: users one after the other,
 * statement by statement. Snapshots are opened one at a time, because each has a connection of its own, or a
 * second engine on a copy of the embedded database. No user opens one right after the other.
 */
export class ExportReads {
  readonly #database: Database;
  readonly #snapshots = new Turns(1, { mostOfOwner: 1 });
  readonly #statements: Turns;

  constructor(database: Database) {
    this.#database = database;
    const most = Math.min(mostStatements, database.pool.options.max);
    this.#statements = new Turns(most, { mostOfOwner: 1 });
  }

  /** `left` aborts when the client leaves: nothing begins after that. */
  begin(userId: string, left: AbortSignal): ExportRead {
    const claim = { owner: userId, signal: left };
    const take = (turns: Turns) => takeTurn(turns, claim, 'Too many exports are being made.');
    return {
      db: this.#database.queryInTurns(() => take(this.#statements)),
      openSnapshot: async (tables) => {
        using opened = new DisposableStack();
        opened.use(await take(this.#snapshots));
        const snapshot = await this.#openAndRest(userId, tables);
        const turn = opened.move();
        const end = async () => {
          using _turn = turn;
          await snapshot[Symbol.asyncDispose]();
        };
        return { ...snapshot, [Symbol.asyncDispose]: end };
      },
    };
  }

  async #openAndRest(userId: string, tables: readonly string[]) {
    const beganMs = performance.now();
    try {
      return await this.#database.openSnapshot(tables);
    } finally {
      const restMs = restShare * (performance.now() - beganMs);
      this.#snapshots.rest(userId, Math.min(restMs, longestRestMs));
    }
  }
}
