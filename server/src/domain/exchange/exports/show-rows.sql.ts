import { type RawBuilder, sql } from 'kysely';
import { ruleOf, type ShowTable } from './show-tables.ts';

const belongings: Readonly<
  Record<ShowTable['by'], (id: RawBuilder<unknown>) => RawBuilder<unknown>>
> = {
  id: (id) => sql`id = ${id}`,
  podcast_id: (id) => sql`podcast_id = ${id}`,
  episode_id: (id) => sql`episode_id in (select id from episodes where podcast_id = ${id})`,
  import_id: (id) => sql`import_id in (select id from platform_imports where podcast_id = ${id})`,
  'podcast_id or episode_id': (id) =>
    sql`(podcast_id = ${id} or episode_id in (select id from episodes where podcast_id = ${id}))`,
};

/** A query of the rows that an export has of a table. `podcastId` is a UUID. */
export function rowsOfShow(table: string, podcastId: string): RawBuilder<unknown> {
  const { by, instead = {} } = ruleOf(table);
  const values = Object.entries(instead).map(
    ([column, value]) => sql`, ${sql.raw(value)} as ${sql.ref(newColumn(column))}`,
  );
  // DECLARE takes no parameters everywhere.
  const id = sql`${sql.lit(podcastId)}::uuid`;
  return sql`(select source.* ${sql.join(values, sql``)} from ${sql.table(table)} source
    where ${belongings[by](id)})`;
}

/** The same columns, but where something is written instead, that. */
export function exportedColumns(table: string, columns: readonly string[]): string[] {
  const { instead = {} } = ruleOf(table);
  return columns.map((column) => (column in instead ? newColumn(column) : column));
}

const newColumn = (column: string) => `new_${column}`;
