import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { findChromium, findSecondBrowser } from './player/test/find-chromium.ts';
import { findMissing } from './plugins/wordpress/test/find-missing.ts';
import { describeMissingCollections } from './server/test/collections.ts';
import { patience } from './server/test/patience.ts';
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

/**
 * The embedded database runs what only it can break: its own tests, and processes that start on it. It
 * also plans each statement of the tests on PostgreSQL (`embedded-statements.ts`). Where there is no
 * PostgreSQL, it runs everything.
 */
const embedded = withPostgres
  ? [
      'server/src/{main,npm-start,stopping}',
      'server/src/platform/**/*',
      'server/src/worker/job-queue',
      'server/src/cli/run-command-line',
      'server/src/domain/{exchange/sites/feed,foundation/storage}/*',
      'server/src/domain/audience/downloads/listener-limit',
      'server/test/acceptance/{invented-names,public-api,public-reads,readme}',
    ]
  : ['server/**/*'];

const databaseTests = (name: 'pglite' | 'postgres', files: readonly string[]) => ({
  extends: true as const,
  test: {
    name,
    isolate: false,
    include: files.map((file) => `${file}.db.test.ts`),
    env: { TEST_DATABASE: name },
    ...(name === 'postgres' && {
      globalSetup: './server/test/embedded-statements.ts',
      setupFiles: ['./server/test/seed-properties.ts', './server/test/record-statements.ts'],
    }),
  },
});

// The same for the tests in a browser.
const withBrowser = findChromium() !== undefined || process.env['CI'] === 'true';
if (!withBrowser && process.env['TEST_BROWSER_MISSED'] === undefined) {
  process.stderr.write("no Chromium: the project 'browser' is left out\n");
  process.env['TEST_BROWSER_MISSED'] = 'true';
}

/** What a full browser requests, caches or plays differently from the headless shell. */
const differsByBrowser = [
  'dashboard/test/{first-episode,first-steps,offline,preloads}',
  'server/test/acceptance/{player-pages,site-pages}',
];
const secondBrowser = findSecondBrowser();

const browserTests = (
  name: string,
  files: readonly string[],
  env: Record<string, string> = {},
) => ({
  extends: true as const,
  test: {
    name,
    isolate: false,
    include: files.map((file) => `${file}.browser.test.ts`),
    // A database of its own is cheaper there: no browser can tell.
    env: { TEST_DATABASE: withPostgres ? 'postgres' : 'pglite', ...env },
    testTimeout: 300_000,
  },
});

// The same for the plugin in a real WordPress. Its packages may be missing in CI, too.
const noWordPress = process.env['TEST_WORDPRESS_MISSED'] ?? findMissing() ?? '';
if (noWordPress !== '' && process.env['TEST_WORDPRESS_MISSED'] === undefined) {
  process.stderr.write(`the project 'wordpress' is left out: ${noWordPress}\n`);
}
process.env['TEST_WORDPRESS_MISSED'] = noWordPress;

// Every test runs on files of its own. Some run on larger collections, too.
const noCollections = process.env['TEST_COLLECTIONS_MISSED'] ?? describeMissingCollections() ?? '';
if (noCollections !== '' && process.env['TEST_COLLECTIONS_MISSED'] === undefined) {
  process.stderr.write(`${noCollections}\n`);
}
process.env['TEST_COLLECTIONS_MISSED'] = noCollections;

// `unit` needs no database; `postgres` runs every *.db.test.ts. The files of a worker share its
// modules, which saves half of the time: no test changes a module's state.
export default defineConfig({
  test: {
    // Processes and threads that tests start keep what they compile, as those of the server do.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compile') },
    // Node loads the TypeScript itself, as it does for the server.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // A busy machine may be ten times slower than a quiet one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    teardownTimeout: 180_000,
    expect: { poll: patience },
    setupFiles: ['./server/test/seed-properties.ts'],
    // Most tests wait: for databases, processes and browsers. Vitest's own option does not reach projects.
    maxWorkers: Number(process.env['TEST_WORKERS']) || Math.ceil(availableParallelism() * 1.5),
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          isolate: false,
          include: ['{server,player,plugins,dashboard}/**/*.test.ts'],
          exclude: ['**/*.{db,browser}.test.ts', 'plugins/wordpress/test/**', '**/node_modules/**'],
        },
      },
      databaseTests('pglite', embedded),
      ...(withPostgres ? [databaseTests('postgres', ['server/**/*'])] : []),
      ...(withBrowser ? [browserTests('browser', ['{server,player,dashboard}/**/*'])] : []),
      ...(secondBrowser === undefined
        ? []
        : [
            browserTests('full-browser', differsByBrowser, {
              CHROMIUM: secondBrowser,
              TEST_SECOND_BROWSER: 'true',
            }),
          ]),
      ...(noWordPress === ''
        ? [
            {
              extends: true as const,
              test: {
                name: 'wordpress',
                isolate: false,
                globalSetup: './plugins/wordpress/test/share-wordpress.ts',
                // All its files use the same site.
                fileParallelism: false,
                include: ['plugins/wordpress/test/*.test.ts'],
                // PHP and its database share the cores with all other tests.
                testTimeout: 300_000,
                hookTimeout: 300_000,
              },
            },
          ]
        : []),
    ],
  },
});
