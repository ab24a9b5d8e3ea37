import { type Kysely, type RawBuilder, sql } from 'kysely';
import { copyIn } from './copy-in.ts';

/** Of one row: an array of texts and nulls, in JSON. */
export type RowLine = string;

/** The columns of a table whose values are not computed from others. */
export async function selectColumns<Tables>(db: Kysely<Tables>, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
    order by attnum`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * Reads these columns of `source`, in batches. Each row is an array of the values as texts, in JSON, so every
 * value returns to a database as PostgreSQL itself wrote it. The transaction must be open.
 */
export async function* readTableRows<Tables>(
  db: Kysely<Tables>,
  source: RawBuilder<unknown>,
  columns: readonly string[],
  rowsAtOnce: number,
): AsyncGenerator<readonly RowLine[]> {
  const values = columns.map((column) => sql`${sql.ref(column)}::text`);
  await sql`declare table_rows no scroll cursor for
    select to_json(array[${sql.join(values)}])::text as line from ${source} source`.execute(db);
  for (;;) {
    const { rows } = await sql<{ line: RowLine }>`
      fetch forward ${sql.lit(rowsAtOnce)} from table_rows`.execute(db);
    if (rows.length > 0) yield rows.map(({ line }) => line);
    if (rows.length < rowsAtOnce) break;
  }
  await sql`close table_rows`.execute(db);
}

/** Inserts rows as `readTableRows` returned them. Throws for a row with another number of columns. */
export async function copyRows<Tables>(
  db: Kysely<Tables>,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly (string | null)[])[],
): Promise<void> {
  const text = rows.map((row) => `${row.map(toCopiedText).join('\t')}\n`).join('');
  const names = columns.map((column) => `"${column}"`).join(', ');
  await copyIn(db, `copy "${table}" (${names}) from stdin (format text)`, Buffer.from(text));
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

function toCopiedText(value: string | null): string {
  return value === null ? '\\N' : value.replace(/[\\\t\n\r]/g, (letter) => escapes[letter] ?? '');
}
