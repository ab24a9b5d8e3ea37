import { writeFile } from 'node:fs/promises';
import { createTestDatabase } from '../test/test-database.ts';
import { describeSchema } from './describe-schema.ts';
import { generateTables } from './generate-tables.ts';

// npm run tables: run it after a new migration. It writes the tables' types, and the schema to read,
// from a scratch database on the PostgreSQL server of the tests. A test fails if either is out of date.
process.env['TEST_DATABASE'] = 'postgres';
await using scratch = await createTestDatabase();
const url = scratch.url ?? '';
const written = {
  'src/domain/foundation/tables.ts': await generateTables(url),
  'schema.sql': await describeSchema(url),
};
for (const [path, text] of Object.entries(written)) {
  await writeFile(new URL(`../${path}`, import.meta.url), text);
  process.stderr.write(`wrote server/${path}\n`);
}
