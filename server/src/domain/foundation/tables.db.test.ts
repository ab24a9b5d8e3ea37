import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { generateTables } from '../../../scripts/generate-tables.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const onServer = process.env['TEST_DATABASE'] === 'postgres';

// The generator reads a server's catalog; the embedded database has the same tables.
describe.skipIf(!onServer)('foundation/tables.ts', () => {
  it('matches the migrations (npm run tables)', async () => {
    await using database = await createTestDatabase();
    const generated = await generateTables(database.url ?? '');
    expect(await readFile(new URL('tables.ts', import.meta.url), 'utf8')).toBe(generated);
  });
});
