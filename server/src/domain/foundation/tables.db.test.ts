import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { describeSchema } from '../../../scripts/describe-schema.ts';
import { generateTables } from '../../../scripts/generate-tables.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const onServer = process.env['TEST_DATABASE'] === 'postgres';
const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8');

// The generators read a server's catalog; the embedded database has the same tables.
describe.skipIf(!onServer)('the migrations', () => {
  it('match foundation/tables.ts and schema.sql (npm run tables)', async () => {
    await using database = await createTestDatabase();
    expect(await read('tables.ts')).toBe(await generateTables(database.url ?? ''));
    expect(await read('../../../schema.sql')).toBe(await describeSchema(database.url ?? ''));
  });
});
