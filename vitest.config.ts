import { defineConfig } from 'vitest/config';
import { findChromium } from './player/test/find-chromium.ts';
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

// The same for the player's tests in a browser.
const withBrowser = findChromium() !== undefined || process.env['CI'] === 'true';
if (!withBrowser && process.env['TEST_BROWSER_MISSED'] === undefined) {
  process.stderr.write("no Chromium: the project 'browser' is left out\n");
  process.env['TEST_BROWSER_MISSED'] = 'true';
}

// `unit` needs no database; the other two run every *.db.test.ts once per database.
export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // One worker loads a module once for all its files: half the time. Nothing here keeps state.
          isolate: false,
          include: ['{server,player}/**/*.test.ts'],
          exclude: ['**/*.{db,browser}.test.ts', '**/node_modules/**'],
        },
      },
      databaseTests('pglite'),
      ...(withPostgres ? [databaseTests('postgres')] : []),
      ...(withBrowser
        ? [
            {
              extends: true as const,
              test: {
                name: 'browser',
                include: ['{server,player}/**/*.browser.test.ts'],
                testTimeout: 120_000,
                // A browser on a busy machine takes its time.
                expect: { poll: { timeout: 30_000 } },
              },
            },
          ]
        : []),
    ],
  },
});
