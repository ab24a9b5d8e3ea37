import type { Kysely } from 'kysely';
import type { DB } from './tables.ts';

export type Tables = DB;

/** A database handle: the pool, or the transaction that a verb runs in. */
export type Db = Kysely<Tables>;

/** A field as a parameter. Our columns store lists as JSON; the driver would write arrays. */
export function columnValue(value: unknown): unknown {
  return Array.isArray(value) ? JSON.stringify(value) : value;
}
