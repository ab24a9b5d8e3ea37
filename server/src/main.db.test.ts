import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../test/test-database.ts';
import { isApiKey } from './lib/api-key.ts';

// The program as it is typed. Each start of it costs a second, so that these are few. On the
// embedded database commands beside a server go through its socket, on PostgreSQL they do not.

const main = join(import.meta.dirname, 'main.ts');
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
afterAll(async () => {
  // What a test that failed has left running.
  for (const child of running) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
  await database?.[Symbol.asyncDispose]();
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Environment = Readonly<Record<string, string>>;

function start(argv: readonly string[], env: Environment = {}) {
  const server = database?.url && { DATABASE_URL: database.url, SECRET: 'x'.repeat(32) };
  const child = spawn(process.execPath, [main, ...argv], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      DATA_DIR: join(folder, 'data'),
      OUTBOUND_ALLOW: '127.0.0.0/8',
      ...server,
      ...env,
    },
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const ended = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]).then(
    ([[code], stdout, stderr]): Ended => ({ code: code as number | null, stdout, stderr }),
  );
  return { child, ended };
}

const running = new Set<ChildProcess>();

const run = (argv: readonly string[], env?: Environment) => start(argv, env).ended;

/** Resolves with its first line of output, or rejects with what it said when it ended instead. */
async function startServing(argv: readonly string[], env?: Environment) {
  const started = start(argv, env);
  const [line] = await Promise.race([
    once(createInterface(started.child.stdout), 'line') as Promise<[string]>,
    started.ended.then(({ stderr }) => Promise.reject(new Error(stderr))),
  ]);
  return { ...started, listening: JSON.parse(line) as { event: string; url: string } };
}

describe('what is typed', () => {
  it('ends with 0, 1 or 2, JSON on standard output and words on standard error', async () => {
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
      stderr: 'There is no command "sing". See --help.\n',
    });
    expect(wrong).toMatchObject({ code: 1, stdout: '' });
    expect(wrong.stderr).toMatch(/PORT is .*\n.*LOG_LEVEL is one of/);
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

const world = {
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
  it('answers, has commands carried out beside it, and stops when it is told to', async () => {
    const server = await startServing(['serve']);
    const { url } = server.listening;
    expect(server.listening).toEqual({ event: 'listening', url: `http://127.0.0.1:${port}` });
    const socket = join(folder, 'data/podstead.sock');
    expect(existsSync(socket)).toBe(isEmbedded);
    if (isEmbedded) expect((await stat(socket)).mode & 0o777).toBe(0o600);

    await writeFile(join(folder, 'world.json'), JSON.stringify(world));
    const seeded = await run(['seed', 'world.json']);
    expect(seeded).toMatchObject({ code: 0, stderr: '' });
    const { podcasts } = JSON.parse(seeded.stdout);
    const podcast = await fetchJson(`${url}/v1/podcasts/night-signals`);
    expect(podcast.data['id']).toBe(podcasts.show.id);

    const again = run(['seed', 'world.json']);
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

/** The answer has begun; its body waits. */
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

/** Tries until nobody listens any more. */
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

/** A feed of one episode whose audio begins and never ends. */
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
    /** The next time that the audio is asked for. */
    audioAsked: () => new Promise<void>((resolve) => Object.assign(asked, { resolve })),
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe.runIf(isEmbedded)('beside a server on the embedded database', () => {
  it('a command is cancelled, and lost with the server that is killed', async () => {
    using host = await openSlowHost();
    // Without the worker, which would go on with the import that is cancelled.
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
      stderr: expect.stringMatching(/Cancelled\. What was imported stays/),
    });

    const lost = start(argv, env);
    await host.audioAsked();
    server.child.kill('SIGKILL');
    expect(await lost.ended).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/ended before it was done\.\n$/),
    });
    expect(existsSync(join(env.DATA_DIR, 'podstead.sock'))).toBe(true);
    const next = await run(['plan', 'set', 'ana@example.com', 'studio'], env);
    expect(next).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(join(env.DATA_DIR, 'podstead.sock'))).toBe(false);
  });

  it('another command may hold it too: both are done', async () => {
    const env = { DATA_DIR: join(folder, 'both') };
    const create = (name: string) =>
      run(['user', 'create', '--email', `${name}@example.com`, '--password', 'a good horse'], env);
    const ended = await Promise.all([create('ana'), create('bo'), create('cy')]);
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
  });

  it('a file system without sockets has commands wait for each other', async () => {
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
  it('serves a show that plays, and leaves nothing behind', async () => {
    const demo = await startServing(['demo']);
    const { url } = demo.listening;
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
    expect(isApiKey(/Bearer (\w+)/.exec(stderr)?.[1] ?? '')).toBe(true);
    expect(await readdir(tmpdir())).not.toContain(own[0]);
  });
});
