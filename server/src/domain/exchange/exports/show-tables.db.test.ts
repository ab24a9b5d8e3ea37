import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { showTables, tablesOfNoExport } from './show-tables.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

async function columnsOf(names: readonly string[]) {
  const { rows } = await sql<{ table: string; column: string }>`
    select relname as "table", attname as "column"
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relkind in ('r', 'p') and not relispartition and not attisdropped
      and relnamespace = current_schema()::regnamespace and attname = any (${names})`.execute(
    test.ctx.db,
  );
  return rows;
}

it('each table with rows of shows is in exports, or named as one that is not', async () => {
  const found = await columnsOf(['podcast_id', 'episode_id', 'import_id', 'artwork_id']);
  const named = [...Object.keys(showTables), ...Object.values(tablesOfNoExport).flat()];
  expect(named.toSorted()).toEqual([...new Set(named)].toSorted());
  expect(new Set(named)).toEqual(new Set(found.map(({ table }) => table)));
});

it('each column of an exported table that refers to another row gets the id that the row has', async () => {
  const { rows } = await sql<{ table: string; column: string; target: string }>`
    select conrelid::regclass::text as "table", attname as "column",
      confrelid::regclass::text as target
    from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any (conkey)
    where contype = 'f' and atttypid = 'uuid'::regtype`.execute(test.ctx.db);
  for (const { table, column, target } of rows) {
    const rule = showTables[table];
    if (rule === undefined) continue;
    const isReplaced = column in rule.ids || column in (rule.instead ?? {});
    expect(isReplaced, `${table}.${column}, of ${target}`).toBe(true);
  }
});
