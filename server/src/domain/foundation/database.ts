import { type AliasedRawBuilder, type Kysely, type RawBuilder, sql } from 'kysely';
import { type SnakeCase, wireName } from '../../lib/wire-names.ts';
import type { DB } from './tables.ts';

export type Tables = DB;

/** A database handle: the pool, or the transaction that a verb runs in. */
export type Db = Kysely<Tables>;

/** Fields under the names of their columns. Those that are undefined are not written. */
export function toRow<T extends object>(fields: T): Row<T> {
  const named = Object.entries(fields).map(([field, value]) => [wireName(field), value]);
  return Object.fromEntries(named) as Row<T>;
}

/** The same for tables that keep lists as JSON. The driver would write arrays. */
export function toRowOfLists(fields: object): Record<string, unknown> {
  const isList = ([, value]: [string, unknown]) => Array.isArray(value);
  const lists = Object.entries(fields).filter(isList);
  const written = lists.map(([field, list]) => [field, JSON.stringify(list)]);
  return toRow({ ...fields, ...Object.fromEntries(written) });
}

/** Fields as columns of a query: `show_notes_html as showNotesHtml`. */
export function columnsOf(
  table: string,
  fields: readonly string[],
): AliasedRawBuilder<unknown, never>[] {
  return fields.map((field) => sql.ref(`${table}.${wireName(field)}`).as(field as never));
}

/** The same as a text of SQL, between commas. */
export function columnList(table: string, fields: readonly string[]): RawBuilder<unknown> {
  return sql.join(
    fields.map((field) => sql`${sql.ref(`${table}.${wireName(field)}`)} as ${sql.ref(field)}`),
  );
}

/** The same as one JSON object. */
export function columnObject(table: string, fields: readonly string[]): RawBuilder<unknown> {
  const pairs = fields.map(
    (field) => sql`${sql.lit(field)}, ${sql.ref(`${table}.${wireName(field)}`)}`,
  );
  return sql`jsonb_build_object(${sql.join(pairs)})`;
}

type Row<T> = { [Field in keyof T as SnakeCase<Field & string>]: T[Field] };
