import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../test/free-port.ts';
import { startProgram } from '../test/start-program.ts';
import { createTestDatabase, type TestDatabase } from '../test/test-database.ts';
import { makeTone } from './domain/publishing/audio/index.ts';
import { isApiKey } from './lib/api-key.ts';

// The whole program, started as a process. A start takes a second, so there are few tests. With the
// embedded database, commands run inside a running server through its socket.

const isEmbedded = process.env['TEST_DATABASE'] !== 'postgres';

vi.setConfig({ testTimeout: 300_000 });

let folder: string;
let database: TestDatabase<unknown> | undefined;
let port: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podstead-main-'));
  if (!isEmbedded) database = await createTestDatabase();
  port = await freePort();
});
// Processes that a failed test has left would make the next test fail.
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL');
  await vi.waitUntil(() => running.size === 0, { timeout: 30_000 });
});
afterAll(async () => {
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

async function startServing(argv: readonly string[], env?: Environment) {
  const started = start(argv, env);
  return { ...started, listening: await started.ready() };
}

// These tests set the database themselves, or use none.
describe.runIf(isEmbedded)('a command line', () => {
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

  it('a command line is refused at once if DATA_DIR cannot be created', async () => {
    await writeFile(join(folder, 'a-file'), '');
    const inPlace = run(['serve'], { DATA_DIR: join(folder, 'a-file') });
    const below = run(['serve'], { DATA_DIR: join(folder, 'a-file/data') });
    const nowhere = run(['serve'], { DATA_DIR: '/proc/nope' });
    for (const { code, stderr } of await Promise.all([inPlace, below, nowhere])) {
      expect(code).toBe(1);
      expect(stderr).toMatch(/^ {2}DATA_DIR: the folder .* cannot be created: .*[.]$/m);
    }
  });
});

describe.runIf(isEmbedded)('a command in production', () => {
  // CLI-5
  it('creates no installation without --new', async () => {
    const dataDir = join(folder, 'nobody-made');
    const env = { NODE_ENV: 'production', DATA_DIR: dataDir, DATABASE_URL: '' };
    const refused = await run(['user', 'list'], env);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(dataDir);
    expect(refused.stderr).toMatch(/--env-file FILE, or add --new/);
    expect((await run(['worker'], env)).stderr).toContain('There is no installation');
    expect(existsSync(dataDir)).toBe(false);
    expect(await run(['user', 'list', '--new'], env)).toMatchObject({
      code: 0,
      stdout: '{"users":[]}\n',
    });
    expect((await run(['user', 'list'], env)).code).toBe(0);
  });

  it('creates no database in a folder that holds other files', async () => {
    const dataDir = join(folder, 'of-a-service-with-postgresql');
    await mkdir(join(dataDir, 'blobs'), { recursive: true });
    const env = { NODE_ENV: 'production', DATA_DIR: dataDir, DATABASE_URL: '' };
    const refused = await run(['user', 'list'], env);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(`${dataDir} (DATA_DIR) contains no database`);
    expect(await readdir(dataDir)).toEqual(['blobs']);
    await writeFile(join(folder, 'nobody.json'), '{}');
    expect(await run(['seed', 'nobody.json'], env)).toMatchObject({ code: 0 });
    expect((await run(['user', 'list'], env)).code).toBe(0);
  });

  // CLI-6
  it('reads the settings of the service from --env-file', async () => {
    const dataDir = join(folder, 'of-the-service');
    const file = join(folder, 'podstead.env');
    const lines = ['# A comment', 'NODE_ENV=production', `DATA_DIR=${dataDir}`, "LOG_LEVEL='warn'"];
    await writeFile(file, lines.join('\n'));
    const env = { DATA_DIR: '', DATABASE_URL: '', SECRET: '' };
    const { stdout } = await run(['--env-file', 'podstead.env', 'config'], env);
    expect(JSON.parse(stdout)).toMatchObject({
      LOG_LEVEL: { value: 'warn', source: file },
    });
    const refused = await run(['user', 'list', `--env-file=${file}`], env);
    expect(refused.stderr).toContain(dataDir);
    const wrong = join(folder, 'misspelt.env');
    await writeFile(wrong, `NODE_ENV=production\nDATA_DIR=${dataDir}\nDATBASE_URL=postgres://x/y`);
    const given = { DATA_DIR: '', SECRET: '' };
    const misspelt = await run(['user', 'list', `--env-file=${wrong}`], given);
    expect(misspelt.stderr).toContain('DATBASE_URL is not a setting. Did you mean DATABASE_URL?');
    const missing = await run(['user', 'list', '--env-file', 'nowhere.env'], env);
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('nowhere.env') });
  });
});

describe.skipIf(isEmbedded)('a command in production, with PostgreSQL', () => {
  const hasTables = async ({ connection }: TestDatabase<unknown>) => {
    const found = `select to_regclass('schema_migrations') is not null as found`;
    return (await connection.pool.query(found)).rows[0].found;
  };

  it('creates tables in an empty database only with --new, and names the database', async () => {
    await using empty = await createTestDatabase<unknown>();
    await empty.connection.pool.query('drop schema public cascade; create schema public');
    const address = new URL(empty.url ?? expect.unreachable());
    address.password = 'very-secret';
    const env = { NODE_ENV: 'production', DATABASE_URL: address.href };
    const refused = await run(['user', 'list'], env);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    const name = `${address.pathname.slice(1)} at ${address.hostname}:${address.port}`;
    expect(refused.stderr).toContain(`The database ${name} has no Podstead tables.`);
    expect(refused.stderr).toMatch(/Check DATABASE_URL\..*run `migrate` first/);
    expect(refused.stderr).not.toContain('very-secret');
    expect(await hasTables(empty)).toBe(false);
    expect((await run(['user', 'list', '--new'], env)).code).toBe(0);
    expect((await run(['user', 'list'], env)).code).toBe(0);
  });

  it.each([['migrate'], ['seed', 'nobody.json']])(
    'creates tables in an empty database: %s',
    async (...argv) => {
      await using empty = await createTestDatabase<unknown>();
      await empty.connection.pool.query('drop schema public cascade; create schema public');
      await writeFile(join(folder, 'nobody.json'), '{}');
      const env = { NODE_ENV: 'production', DATABASE_URL: empty.url ?? '' };
      expect(await run(argv, env)).toMatchObject({ code: 0 });
      expect(await hasTables(empty)).toBe(true);
    },
  );
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
          audio: { tone_seconds: 7200 },
        },
      ],
    },
  ],
};

async function fetchJson(address: string): Promise<{ data: Record<string, unknown> }> {
  return (await (await fetch(address)).json()) as { data: Record<string, unknown> };
}

describe('serve', () => {
  // CLI-4, CLI-8, CLI-9, CLI-10
  it('answers requests, runs commands of other processes, and stops on SIGTERM', async () => {
    const server = await startServing(['serve']);
    const { url } = server.listening;
    const address = `http://127.0.0.1:${port}`;
    const baseUrl = `http://localhost:${port}`;
    expect(server.listening).toEqual({ event: 'listening', url: address, baseUrl });
    const socket = join(folder, 'data/podstead.sock');
    expect(existsSync(socket)).toBe(isEmbedded);
    if (isEmbedded) expect((await stat(socket)).mode & 0o777).toBe(0o600);
    const closed = isEmbedded ? ['data', 'data/database', 'data/database/files'] : ['data'];
    for (const name of closed) {
      expect((await stat(join(folder, name))).mode & 0o777, name).toBe(0o700);
    }

    await writeFile(join(folder, 'seed.json'), JSON.stringify(seedFile));
    const seeded = await run(['seed', 'seed.json']);
    expect(seeded).toMatchObject({ code: 0, stderr: '' });
    const { podcasts } = JSON.parse(seeded.stdout);
    const podcast = await fetchJson(`${url}/v1/podcasts/night-signals`);
    expect(podcast.data['id']).toBe(podcasts.show.id);

    const again = run(['seed', 'seed.json']);
    const second = run(['serve']);
    const user = start(['user', 'create', '--email', 'bo@example.com']);
    user.child.stdin.end('correct horse\n');
    expect(await again).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/users\[0\]\.email: .*ana@example\.com/),
    });
    expect((await second).code).toBe(1);
    expect((await second).stderr).toMatch(
      isEmbedded ? /in use by process \d+/ : /Port \d+ .* in use/,
    );
    expect(await user.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('bo@') });

    const episode = await fetchJson(`${url}/v1/podcasts/night-signals/episodes/long`);
    const audio = episode.data['audio'] as { url: string; size_bytes: number };
    const download = await beginDownload(audio.url.replace('localhost', '127.0.0.1'));
    server.child.kill('SIGTERM');
    await refusesConnections();
    expect(await countBytes(download)).toBe(audio.size_bytes);
    expect((await server.ended).code).toBe(0);
    expect(existsSync(socket)).toBe(false);
  });
});

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

/** A feed with one episode, whose audio begins but never ends. */
async function openSlowHost() {
  const asked = { resolve: () => {} };
  const server = createServer((request, response) => {
    if (request.url === '/feed.xml') {
      const { port } = server.address() as AddressInfo;
      response.end(`<rss version="2.0"><channel><title>Slow</title><item><title>One</title>
        <guid>one</guid><enclosure url="http://127.0.0.1:${port}/1.mp3" type="audio/mpeg"
        length="1000000"/></item></channel></rss>`);
      return;
    }
    response.writeHead(200, { 'Content-Type': 'audio/mpeg', 'Content-Length': '1000000' });
    response.write(Buffer.alloc(1000), () => asked.resolve());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    feedUrl: `http://127.0.0.1:${port}/feed.xml`,
    /** Resolves at the next request for the audio. */
    audioAsked: () => new Promise<void>((resolve) => Object.assign(asked, { resolve })),
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe.runIf(isEmbedded)('commands beside a server on the embedded database', () => {
  it('a command can be cancelled, and fails if the server is killed', async () => {
    using host = await openSlowHost();
    // Without a worker, which would continue the cancelled import.
    const env = { WORKER: 'off', DATA_DIR: join(folder, 'killed') };
    const server = await startServing(['serve'], env);
    await run(['user', 'create', '--email', 'ana@example.com', '--password', 'a good horse'], env);
    const argv = ['import', host.feedUrl, '--owner', 'ana@example.com'];

    const cancelled = start(argv, env);
    await host.audioAsked();
    cancelled.child.kill('SIGINT');
    expect(await cancelled.ended).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/continues the import:.*import show [0-9a-f-]{36}/s),
    });

    const lost = start(argv, env);
    await host.audioAsked();
    server.child.kill('SIGKILL');
    expect(await lost.ended).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/stopped before the command finished\.\n$/),
    });
    expect(existsSync(join(env.DATA_DIR, 'podstead.sock'))).toBe(true);
    const next = await run(['plan', 'set', 'ana@example.com', 'studio'], env);
    expect(next).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(join(env.DATA_DIR, 'podstead.sock'))).toBe(false);
  });

  it('commands change shows and episodes, with files of the caller', async () => {
    const env = { DATA_DIR: join(folder, 'edited') };
    const server = await startServing(['serve'], env);
    const { url } = server.listening;
    await writeFile(join(folder, 'edited.json'), JSON.stringify(seedFile));
    const { podcasts } = JSON.parse((await run(['seed', 'edited.json'], env)).stdout);
    const { id } = podcasts.show.episodes.e;
    await pipeline(makeTone(2), createWriteStream(join(folder, 'two.mp3')));

    const named = await run(['podcast', 'set', 'night-signals', 'title=Day Signals'], env);
    expect(named).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(named.stdout)).toMatchObject({ title: 'Day Signals' });
    const shown = await fetchJson(`${url}/v1/podcasts/night-signals`);
    expect(shown.data['title']).toBe('Day Signals');

    const set = await run(['episode', 'set', id, 'audio=two.mp3'], env);
    expect(set).toMatchObject({ code: 0, stderr: '' });
    const episode = await fetchJson(`${url}/v1/episodes/${id}`);
    expect(episode.data).toMatchObject({ audio: { duration_seconds: 2 } });
    const wrong = await run(['episode', 'set', id, 'audio=nowhere.mp3'], env);
    expect(wrong).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/audio: /) });

    const deleted = await run(['podcast', 'delete', 'night-signals', '--yes'], env);
    expect(deleted).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Deleted the podcast .*night-signals/),
    });
    expect((await fetch(`${url}/v1/podcasts/night-signals`)).status).toBe(404);
    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);
  });

  it('commands without a server run at the same time', async () => {
    const env = { DATA_DIR: join(folder, 'both') };
    const create = (name: string) =>
      run(['user', 'create', '--email', `${name}@example.com`, '--password', 'a good horse'], env);
    const ended = await Promise.all([create('ana'), create('bo'), create('cy')]);
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
  });

  it('commands wait for each other on a file system without sockets', async () => {
    const env = { DATA_DIR: join(folder, 'no-sockets') };
    await mkdir(join(env.DATA_DIR, 'podstead.sock/in-its-place'), { recursive: true });
    const ended = await Promise.all([run(['migrate'], env), run(['migrate'], env)]);
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);
  });
});

describe.runIf(isEmbedded)('demo', () => {
  // CLI-13, PAGE-12
  it('serves a show that plays, and leaves nothing behind', async () => {
    const metricsPort = await freePort();
    const demo = await startServing(['demo'], { METRICS_PORT: String(metricsPort) });
    const { url } = demo.listening;
    expect((await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).status).toBe(200);
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
    const { data } = await fetchJson(`${url}/v1/podcasts/static-and-starlings`);
    expect(data).toMatchObject({ title: 'Static & Starlings', episode_count: 8 });
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
