import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { modulesLoadedBy } from '../../test/loaded-modules.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';

// Loading modules takes most of a command's time. The embedded database also loads PGlite.
const isEmbedded = process.env['TEST_DATABASE'] !== 'postgres';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const heavyPackages = [
  ...['sharp', '@electric-sql', 'html-to-text', 'htmlparser2'],
  ...['sanitize-html', 'postcss'],
  ...['@aws-sdk', '@smithy', 'redoc', '@redocly', 'typebox', 'ajv', 'fastify', 'pg-boss'],
  ...['nodemailer', 'ioredis'],
];
const heavy = new RegExp(
  `/node_modules/(?:${heavyPackages.join('|')})/|/server/src/(?:http|worker)/|/processes\\.ts$`,
);
/** Half of the loaded modules belong to Kysely. */
const mostModules = 790;

describe.skipIf(isEmbedded)('a command that only shows something', () => {
  let database: TestDatabase<unknown>;
  let folder: string;

  const load = (...argv: string[]) =>
    modulesLoadedBy(argv, {
      DATABASE_URL: database.url ?? '',
      SECRET: 'x'.repeat(32),
      DATA_DIR: folder,
    });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podstead-light-'));
    database = await createTestDatabase();
    await load('user', 'create', '--email', 'a@example.com', '--password', 'correct horse');
    await load('podcast', 'create', '--owner', 'a@example.com', '--title', 'Light');
  });
  afterAll(async () => {
    await database?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  it.each([
    [['user', 'list']],
    [['podcast', 'list']],
    [['podcast', 'show', 'light']],
    [['episode', 'list', 'light']],
    [['key', 'list', 'a@example.com']],
  ])('loads nothing heavy: %j', async (argv) => {
    const urls = (await load(...argv)).map(({ url }) => url);
    expect(urls).toContainEqual(expect.stringMatching(/\/app\.ts$/));
    expect(urls.filter((url) => heavy.test(url))).toEqual([]);
    expect(urls.length).toBeLessThan(mostModules);
  });
});
