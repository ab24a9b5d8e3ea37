import type { Kysely } from 'kysely';
import type { DB } from './tables.ts';

export type Tables = DB;

/** A handle on the database: the pool, or the transaction that a verb is part of. */
export type Db = Kysely<Tables>;
