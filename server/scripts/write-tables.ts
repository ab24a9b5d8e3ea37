import { writeFile } from 'node:fs/promises';
import { createTestDatabase } from '../test/test-database.ts';
import { generateTables } from './generate-tables.ts';

// npm run tables: after a migration, writes the tables' types from a scratch database. PostgreSQL
// is found as the tests find it; a test says when the file is out of date.
process.env['TEST_DATABASE'] = 'postgres';
await using scratch = await createTestDatabase();
const code = await generateTables(scratch.url ?? '');
await writeFile(new URL('../src/domain/tables.ts', import.meta.url), code);
process.stderr.write('wrote server/src/domain/tables.ts\n');
