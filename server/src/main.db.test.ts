import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../test/free-port.ts';
import { openPodcastHost, serveStalledShow } from '../test/hosts/podcast-host.ts';
import { patience } from '../test/patience.ts';
import { type Program, startProgram } from '../test/start-program.ts';
import { createTestDatabase, type TestDatabase } from '../test/test-database.ts';
import { isOnServer } from '../test/which-database.ts';
import { isApiKey } from './lib/api-key.ts';

// The whole program, started as a process. A start takes seconds of processor time, so there are few
// tests: run-command-line.db.test.ts has the others. With the embedded database, commands run inside a
// running server through its socket; with PostgreSQL, each has its own connections.

vi.setConfig({ testTimeout: 300_000 });

let folder: string;
let database: TestDatabase<unknown> | undefined;
let port: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podstead-main-'));
  if (isOnServer) database = await createTestDatabase();
  port = await freePort();
});
afterAll(async () => {
  await killAll();
  await rm(folder, { recursive: true, force: true });
  await database?.[Symbol.asyncDispose]();
});

type Environment = Readonly<Record<string, string>>;

function start(argv: readonly string[], env: Environment = {}) {
  const program = startProgram(argv, {
    cwd: folder,
    env: {
      PORT: String(port),
      DATA_DIR: join(folder, 'data'),
      OUTBOUND_ALLOW: '127.0.0.0/8',
      ...(database?.url && { DATABASE_URL: database.url, SECRET: 'x'.repeat(32) }),
      ...env,
    },
  });
  running.add(program.child);
  program.child.once('exit', () => running.delete(program.child));
  return program;
}

const running = new Set<ChildProcess>();

const run = (argv: readonly string[], env?: Environment) => start(argv, env).ended;

/** Processes that a failed test has left would make the next one fail. */
async function killAll(): Promise<void> {
  for (const child of running) child.kill('SIGKILL');
  await vi.waitUntil(() => running.size === 0, { timeout: 30_000 });
}

async function startServing(argv: readonly string[], env?: Environment) {
  const started = start(argv, env);
  return { ...started, listening: await started.ready() };
}

// Without a database.
describe.skipIf(isOnServer)('a command line', () => {
  // CLI-2, CLI-3, CLI-12, SET-2
  it('exits with 0, 1 or 2, and prints JSON to stdout and messages to stderr', async () => {
    const secret = 'a secret of more than thirty-two bytes';
    const [help, nonsense, wrong, settings] = await Promise.all([
      run(['episode', 'add', '--help']),
      run(['sing', 'softly']),
      run(['migrate'], { PORT: '0', LOG_LEVEL: 'loud' }),
      run(['config'], { SECRET: secret, DATABASE_URL: 'postgres://me:hidden@db.example/x' }),
    ]);
    expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('--audio'), stderr: '' });
    expect(nonsense).toEqual({
      code: 2,
      stdout: '',
      stderr: 'Unknown command "sing". See --help.\n',
    });
    expect(wrong).toMatchObject({ code: 1, stdout: '' });
    expect(wrong.stderr).toMatch(/PORT must be .*\n.*LOG_LEVEL must be one of/);
    expect(JSON.parse(settings.stdout)).toMatchObject({
      PORT: { value: String(port), source: 'environment' },
      HOST: { value: '127.0.0.1', source: 'default' },
      BASE_URL: { value: `http://localhost:${port}`, source: 'default' },
      SECRET: { value: '********', source: 'environment' },
      DATABASE_URL: { value: '********', source: 'environment' },
      REDIS_URL: { value: null, source: 'unset' },
    });
    expect(settings.stdout).not.toContain('hidden');
  });
});

const seedFile = {
  users: [{ ref: 'ana', email: 'ana@example.com', password: 'correct horse' }],
  podcasts: [
    {
      ref: 'show',
      owner: 'ana',
      slug: 'night-signals',
      title: 'Night Signals',
      episodes: [
        {
          ref: 'e',
          slug: 'long',
          title: 'Long',
          status: 'published',
          // More than fits into the buffers of a connection, where it is downloaded.
          audio: { tone_seconds: isOnServer ? 3600 : 2 },
        },
      ],
    },
  ],
};

async function fetchJson(address: string): Promise<{ data: Record<string, unknown> }> {
  return (await (await fetch(address)).json()) as { data: Record<string, unknown> };
}

describe('serve', () => {
  let server: Program & { readonly listening: { readonly url: string } };

  beforeAll(async () => {
    server = await startServing(['serve']);
  });
  afterAll(killAll);

  // CLI-4, CLI-8, CLI-9
  it('answers requests, and runs commands of other processes', async () => {
    const { url } = server.listening;
    const address = `http://127.0.0.1:${port}`;
    const baseUrl = `http://localhost:${port}`;
    expect(server.listening).toEqual({ event: 'listening', url: address, baseUrl });
    expect(existsSync(socket())).toBe(!isOnServer);
    if (!isOnServer) expect((await stat(socket())).mode & 0o777).toBe(0o600);
    const closed = isOnServer ? ['data'] : ['data', 'data/database', 'data/database/files'];
    for (const name of closed) {
      expect((await stat(join(folder, name))).mode & 0o777, name).toBe(0o700);
    }

    await writeFile(join(folder, 'seed.json'), JSON.stringify(seedFile));
    const seeded = await run(['seed', 'seed.json']);
    expect(seeded).toMatchObject({ code: 0, stderr: '' });
    const { podcasts } = JSON.parse(seeded.stdout);
    const podcast = await fetchJson(`${url}/v1/podcasts/night-signals`);
    expect(podcast.data).toMatchObject({ id: podcasts.show.id, title: 'Night Signals' });

    const again = run(['seed', 'seed.json']);
    const second = run(['serve']);
    const renamed = run(['podcast', 'set', 'night-signals', 'title=Day Signals']);
    const user = start(['user', 'create', '--email', 'bo@example.com']);
    user.child.stdin.end('correct horse\n');
    expect(await again).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/users\[0\]\.email: .*ana@example\.com/),
    });
    expect((await second).code).toBe(1);
    expect((await second).stderr).toMatch(
      isOnServer ? /Port \d+ .* in use/ : /in use by process \d+/,
    );
    expect(await user.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('bo@') });
    expect(await renamed).toMatchObject({ code: 0, stderr: '' });
    const changed = await fetchJson(`${url}/v1/podcasts/night-signals`);
    expect(changed.data['title']).toBe('Day Signals');
  });

  // CLI-10. Beside the embedded database: stopping.db.test.ts.
  it.runIf(isOnServer)('serve stops on SIGTERM, after running requests have ended', async () => {
    const { url } = server.listening;
    const episode = await fetchJson(`${url}/v1/podcasts/night-signals/episodes/long`);
    const audio = episode.data['audio'] as { url: string; size_bytes: number };
    const download = await beginDownload(audio.url.replace('localhost', '127.0.0.1'));
    server.child.kill('SIGTERM');
    await refusesConnections();
    expect(await countBytes(download)).toBe(audio.size_bytes);
    expect((await server.ended).code).toBe(0);
  });

  // RELEASE-10
  it.runIf(isOnServer)('serve is not ready during STOP_DELAY, and still serves', async () => {
    const own = String(await freePort());
    const env = { PORT: own, STOP_DELAY: '300', WORKER: 'off' };
    const { child, ended, listening } = await startServing(['serve'], env);
    const ask = (path: string) => fetch(`${listening.url}${path}`);
    expect((await ask('/readyz')).status).toBe(200);
    child.kill('SIGTERM');
    await expect.poll(async () => (await ask('/readyz')).status, patience).toBe(503);
    const served = await ask('/v1/podcasts/night-signals');
    expect([served.status, served.headers.get('connection')]).toEqual([200, 'close']);
    // A second signal ends it at once.
    const again = setInterval(() => child.kill('SIGTERM'), 200);
    expect((await ended).code).toBe(1);
    clearInterval(again);
  });

  it.skipIf(isOnServer)('a command fails if the server that runs it is killed', async () => {
    await using host = await openPodcastHost();
    const asked = serveStalledShow(host);
    const lost = start(['import', `${host.url}/feed.xml`, '--owner', 'bo@example.com']);
    await asked;
    server.child.kill('SIGKILL');
    expect(await lost.ended).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/stopped before the command finished\.\n$/),
    });
    expect(existsSync(socket())).toBe(true);
    const next = await run(['plan', 'set', 'bo@example.com', 'studio']);
    expect(next).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(socket())).toBe(false);
  });
});

const socket = () => join(folder, 'data/podstead.sock');

/** Resolves when the response has begun; its body is paused. */
async function beginDownload(address: string): Promise<IncomingMessage> {
  const [response] = (await once(get(address, { agent: false }), 'response')) as [IncomingMessage];
  response.pause();
  return response;
}

async function countBytes(response: IncomingMessage): Promise<number> {
  let count = 0;
  for await (const chunk of response) count += (chunk as Buffer).length;
  return count;
}

/** Resolves when the port refuses connections. */
async function refusesConnections(): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
    } catch {
      return;
    } finally {
      socket.destroy();
    }
  }
}

// It has a database of its own.
describe.skipIf(isOnServer)('demo', () => {
  afterAll(killAll);

  // CLI-13, PAGE-12
  it('serves a show that plays, and leaves nothing behind', async () => {
    const metricsPort = await freePort();
    const demo = await startServing(['demo'], { METRICS_PORT: String(metricsPort) });
    const { url } = demo.listening;
    expect((await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).status).toBe(200);
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
    const { data } = await fetchJson(`${url}/v1/podcasts/static-and-starlings`);
    expect(data).toMatchObject({ title: 'Static & Starlings', episode_count: 32 });
    const latest = await fetchJson(`${url}/v1/podcasts/static-and-starlings/episodes/latest`);
    expect(latest.data).toMatchObject({
      audio: { duration_seconds: 180 },
      transcript: { language: 'en-GB' },
      chapters_url: expect.any(String),
    });
    const before = await readdir(tmpdir());
    const own = before.filter((name) => name.startsWith(`podstead-demo-${demo.child.pid}-`));
    expect(own).toHaveLength(1);
    demo.child.kill('SIGINT');
    const { code, stderr } = await demo.ended;
    expect(code).toBe(0);
    expect(stderr.match(/ {2}curl '/g)).toHaveLength(3);
    expect(stderr).toMatch(new RegExp(` http://localhost:${metricsPort}/metrics +its metrics\\n`));
    expect(stderr).toMatch(/\/v1\/me\/podcasts\/[\w-]+\/analytics\/breakdowns\?dimension=apps'/);
    expect(isApiKey(/Bearer (\w+)/.exec(stderr)?.[1] ?? '')).toBe(true);
    expect(await readdir(tmpdir())).not.toContain(own[0]);
  });
});
