import { defineConfig } from 'vitest/config';
import { postgresAvailable, testDatabaseUrl } from './server/test/postgres-available.ts';

// Where there is no server its project is left out, but with a word, and never in CI. This file is
// read once for each project; the environment carries the answer to the next.
const found = process.env['TEST_POSTGRES_FOUND'] ?? String(await postgresAvailable());
const withPostgres = found === 'true' || process.env['CI'] === 'true';
if (!withPostgres && process.env['TEST_POSTGRES_FOUND'] === undefined) {
  const { host } = new URL(testDatabaseUrl);
  process.stderr.write(`no PostgreSQL at ${host}: the project 'postgres' is left out\n`);
}
process.env['TEST_POSTGRES_FOUND'] = found;

const databaseTests = (name: 'pglite' | 'postgres') => ({
  extends: true as const,
  test: { name, include: ['server/**/*.db.test.ts'], env: { TEST_DATABASE: name } },
});

// `unit` needs no database; the other two run every *.db.test.ts once per database.
export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // One worker loads a module once for all its files: half the time. Nothing here keeps state.
          isolate: false,
          include: ['server/**/*.test.ts'],
          exclude: ['**/*.db.test.ts', '**/node_modules/**'],
        },
      },
      databaseTests('pglite'),
      ...(withPostgres ? [databaseTests('postgres')] : []),
    ],
  },
});
