import type { Kysely } from 'kysely';

/**
 * The whole database as it is at one moment, to be read for as long as it takes. It holds up nobody who
 * writes.
 */
export interface DatabaseSnapshot<Tables> extends AsyncDisposable {
  readonly at: Date;
  /** In a transaction that only reads. */
  readonly query: Kysely<Tables>;
  /** The names of the migrations that a newer release has applied. */
  findNewerMigrations(): Promise<readonly string[]>;
}

/** A connection of its own, whose statements may take as long as they need. */
export interface LongSession<Tables> extends AsyncDisposable {
  readonly query: Kysely<Tables>;
}
