import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DatabaseProxy } from '../../../../../test/database-proxy.ts';
import { freePort } from '../../../../../test/free-port.ts';
import { type Listener, listen } from '../../../../../test/listen-to-audio.ts';
import { patience } from '../../../../../test/patience.ts';
import { type Program, startProgram } from '../../../../../test/start-program.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../test/test-database.ts';

// Processes as an operator starts them, on one database and one folder.

vi.setConfig({ testTimeout: 300_000 });

const opened = new AsyncDisposableStack();
const lastPatience = { timeout: 120_000 };
let folder: string;
let database: TestDatabase<unknown>;
let proxy: DatabaseProxy;
let proxied: string;

const isOnServer = process.env['TEST_DATABASE'] === 'postgres';

async function serve(databaseUrl: string): Promise<Program & { readonly url: string }> {
  const program = startProgram(['serve'], {
    cwd: folder,
    env: {
      PORT: String(await freePort()),
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: databaseUrl,
      SECRET: 'x'.repeat(32),
      TRUST_PROXY: '1',
      PUBLIC_RATE_LIMIT: '0',
      WORKER: 'off',
      LOG_LEVEL: 'error',
    },
  });
  opened.defer(() => void program.child.kill('SIGKILL'));
  const { url } = await program.ready();
  return { ...program, url };
}

async function kill({ child, ended }: Program, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  await ended;
}

beforeAll(async () => {
  if (!isOnServer) return;
  folder = await mkdtemp(join(tmpdir(), 'podstead-serve-'));
  opened.defer(() => rm(folder, { recursive: true }));
  database = opened.use(await createTestDatabase());
  const through = await DatabaseProxy.open(database.url ?? '');
  proxy = opened.use(through.proxy);
  proxied = through.url;
  const seed = {
    users: [{ ref: 'ana', email: 'ana@example.com', password: 'correct horse' }],
    podcasts: [
      {
        ...{ ref: 'show', owner: 'ana', slug: 'show', title: 'Show' },
        episodes: ['shared', 'killed'].map((slug) => ({
          ...{ ref: slug, slug, title: slug, status: 'published' },
          audio: { tone_seconds: 7200 },
        })),
      },
    ],
  };
  await writeFile(join(folder, 'seed.json'), JSON.stringify(seed));
  const seeding = startProgram(['seed', 'seed.json'], {
    cwd: folder,
    env: {
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: database.url ?? '',
      SECRET: 'x'.repeat(32),
    },
  });
  expect(await seeding.ended).toMatchObject({ code: 0 });
});
afterAll(() => opened.disposeAsync());

async function pathOf(slug: string): Promise<string> {
  const { rows } = await database.connection.pool.query('select id from episodes where slug = $1', [
    slug,
  ]);
  return `/media/${rows[0].id}/f/${slug}.mp3`;
}
async function downloadsOf(slug: string): Promise<number> {
  const { rows } = await database.connection.pool.query(
    `select coalesce(sum(d.downloads), 0)::int as downloads from episodes e
      left join episode_download_days d on d.episode_id = e.id where e.slug = $1`,
    [slug],
  );
  return rows[0].downloads;
}
const listener = (n: number): Listener => ({
  address: `198.51.100.${n}`,
  userAgent: 'AntennaPod/3.4.0',
});
async function readJournals(): Promise<string[]> {
  const lines: string[] = [];
  for (const entry of await readdir(join(folder, 'data/downloads'), {
    recursive: true,
    withFileTypes: true,
  })) {
    if (!entry.name.endsWith('.lines')) continue;
    lines.push(...(await readFile(join(entry.parentPath, entry.name), 'utf8')).split('\n'));
  }
  return lines.filter((line) => line !== '');
}

describe.skipIf(!isOnServer)('serve', () => {
  // STAT-13; on a busy machine its ten seconds may be longer.
  it('counts what two processes deliver to one listener together, and stops clean', async () => {
    const [one, two] = await Promise.all([serve(database.url ?? ''), serve(database.url ?? '')]);
    const path = await pathOf('shared');
    for (let n = 1; n <= 5; n += 1) {
      // Thirty seconds from each; the last listener hears the same ones twice.
      await listen(one.url + path, listener(n), { range: 'bytes=0-119999' });
      const range = n === 5 ? 'bytes=0-119999' : 'bytes=120000-239999';
      await listen(two.url + path, listener(n), { range });
    }
    await vi.waitFor(async () => expect(await downloadsOf('shared')).toBe(4), lastPatience);
    // What has just ended is counted on the way out.
    await listen(one.url + path, listener(6), { range: 'bytes=0-239999' });
    await Promise.all([kill(one, 'SIGTERM'), kill(two, 'SIGTERM')]);
    expect(await downloadsOf('shared')).toBe(5);
    expect(await readdir(join(folder, 'data/downloads'))).toEqual([]);
    const { rows } = await database.connection.pool.query('select from download_writers');
    expect(rows).toEqual([]);
  });

  it('serve leaves its journal to the next process if it is killed while the database is away', async () => {
    const doomed = await serve(proxied);
    const url = doomed.url + (await pathOf('killed'));
    // More than what the systems between them hold: they end when their clients have read them.
    const responses = await Promise.all(
      [1, 2, 3].map(async (n) => {
        const { address, userAgent } = listener(n);
        const headers = { 'X-Forwarded-For': address, 'User-Agent': userAgent };
        const [response] = await once(get(url, { agent: false, headers }), 'response');
        return response as IncomingMessage;
      }),
    );
    proxy.refuse('all');
    for (const response of responses) await once(response.resume(), 'end');
    await vi.waitFor(async () => expect(await readJournals()).toHaveLength(3), patience);
    await kill(doomed, 'SIGKILL');
    expect((await readJournals()).join()).not.toContain('198.51.100');
    expect(await downloadsOf('killed')).toBe(0);
    proxy.restore();
    const next = await serve(proxied);
    await vi.waitFor(async () => expect(await downloadsOf('killed')).toBe(3), lastPatience);
    await kill(next, 'SIGTERM');
    expect(await readdir(join(folder, 'data/downloads'))).toEqual([]);
  });
});
