import { writeFile } from 'node:fs/promises';
import { createTestDatabase } from '../test/test-database.ts';
import { generateTables } from './generate-tables.ts';

// npm run tables: run it after a new migration. It writes the tables' types from a scratch database
// on the PostgreSQL server of the tests. A test fails if the file is out of date.
process.env['TEST_DATABASE'] = 'postgres';
await using scratch = await createTestDatabase();
const code = await generateTables(scratch.url ?? '');
await writeFile(new URL('../src/domain/foundation/tables.ts', import.meta.url), code);
process.stderr.write('wrote server/src/domain/foundation/tables.ts\n');
