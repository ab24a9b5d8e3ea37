import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { freePort } from '../free-port.ts';
import { type Program, startProgram } from '../start-program.ts';
import { createTestDatabase, type TestDatabase } from '../test-database.ts';

/** Clients reset and half-close their connections at every step of every kind of response. */
vi.setConfig({ testTimeout: 300_000 });

// A start takes seconds of processor time. So all tests have one installation, whose show the first one
// creates, and each starts its server.
const shared = new AsyncDisposableStack();
let database: TestDatabase<unknown> | undefined;
let folder: string;
let keySecret: string | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podstead-vanishing-'));
  shared.defer(() => rm(folder, { recursive: true, force: true }));
  if (process.env['TEST_DATABASE'] === 'postgres') {
    database = shared.use(await createTestDatabase());
  }
});
afterAll(() => shared.disposeAsync());

let opened: AsyncDisposableStack;
let server: Program;
let port: number;

beforeEach(async () => {
  opened = new AsyncDisposableStack();
  port = await freePort();
});
afterEach(() => opened.disposeAsync());

const password = 'correct horse';
const seeds = {
  users: [{ ref: 'ana', email: 'ana@example.com', password }],
  keys: [{ ref: 'key', user: 'ana', scopes: ['podcasts:read', 'episodes:read'] }],
  podcasts: [
    {
      ref: 'show',
      owner: 'ana',
      slug: 'show',
      title: 'Show',
      episodes: [
        {
          ref: 'one',
          slug: 'one',
          title: 'One',
          status: 'published',
          audio: { tone_seconds: 600 },
        },
      ],
    },
  ],
};

const run = (argv: readonly string[], settings: Readonly<Record<string, string>>) =>
  startProgram(argv, {
    cwd: folder,
    env: {
      PORT: String(port),
      BASE_URL: `http://127.0.0.1:${port}`,
      DATA_DIR: join(folder, 'data'),
      PUBLIC_RATE_LIMIT: '0',
      LOG_LEVEL: 'error',
      WORKER: 'off',
      ...(database?.url && { DATABASE_URL: database.url, SECRET: 'x'.repeat(32) }),
      ...settings,
    },
  });

interface Kind {
  readonly name: string;
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function startServer(settings: Readonly<Record<string, string>>): Promise<string> {
  server = run(['serve'], settings);
  opened.defer(async () => {
    server.child.kill('SIGKILL');
    await server.ended;
  });
  return (await server.ready()).url;
}

/** Creates the show, beside a server. Returns the secret of the key. */
async function seed(): Promise<string> {
  await writeFile(join(folder, 'seeds.json'), JSON.stringify(seeds));
  const { stdout } = await run(['seed', 'seeds.json'], {}).ended;
  const { keys } = JSON.parse(stdout) as { keys: { key: { secret: string } } };
  return keys.key.secret;
}

/** Starts the server with a show, and returns a request for every kind of response. */
async function start(settings: Readonly<Record<string, string>>): Promise<readonly Kind[]> {
  const url = await startServer(settings);
  keySecret ??= await seed();
  const read = async <Data>(path: string) =>
    ((await (await fetch(url + path)).json()) as { data: Data }).data;
  const show = await read<{ id: string }>('/v1/podcasts/show');
  type Episodes = readonly [{ id: string; audio: { url: string } }];
  const [episode] = await read<Episodes>('/v1/podcasts/show/episodes');
  const audio = new URL(episode.audio.url).pathname;
  const json = { 'content-type': 'application/json', origin: url };
  const signedIn = await fetch(`${url}/app/api/sign-in`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ email: 'ana@example.com', password }),
  });
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  const tus = { origin: url, cookie, 'tus-resumable': '1.0.0' };
  const created = await fetch(`${url}/app/api/uploads`, {
    method: 'POST',
    headers: {
      ...tus,
      'upload-length': '1000000',
      'upload-metadata': Object.entries({
        purpose: 'audio',
        podcast_id: show.id,
        episode_id: episode.id,
        filename: 'a.mp3',
      })
        .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
        .join(','),
    },
  });
  expect([signedIn.status, created.status]).toEqual([204, 201]);
  const upload = new URL(created.headers.get('location') ?? '', url).pathname;
  const authorization = `Bearer ${keySecret}`;
  return [
    { name: 'cached', path: '/v1/podcasts/show' },
    { name: 'cached, HEAD', method: 'HEAD', path: '/v1/podcasts/show' },
    { name: 'uncached', path: '/v1/podcasts/show/episodes?limit=1' },
    { name: 'refused', path: '/v1/podcasts/none' },
    { name: 'feed', path: '/feeds/show.xml' },
    { name: 'page', path: '/listen/show' },
    { name: 'player', path: `/ep/${episode.id}` },
    { name: 'whole audio', path: audio },
    { name: 'range', path: audio, headers: { range: 'bytes=100-70000' } },
    { name: 'long range', path: audio, headers: { range: 'bytes=0-2000000' } },
    { name: 'ranges', path: audio, headers: { range: 'bytes=0-9999,20000-500000' } },
    { name: 'keyed', path: '/v1/me/podcasts', headers: { authorization } },
    { name: 'dashboard', path: '/app' },
    { name: 'form', path: '/app/sign-in' },
    { name: 'private', path: `/app/api/podcasts/${show.id}`, headers: { cookie } },
    { name: 'events', path: `/app/api/events?podcast=${show.id}`, headers: { cookie } },
    {
      name: 'exchange',
      method: 'POST',
      path: '/v1/sites/exchange',
      headers: json,
      body: '{"code":',
    },
    {
      name: 'upload',
      method: 'PATCH',
      path: upload,
      headers: {
        ...tus,
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
        'content-length': '1000000',
      },
      body: 'x'.repeat(100_000),
    },
  ];
}

function write(
  { method = 'GET', path, headers = {}, body = '' }: Kind,
  forwarded?: string,
): string {
  const length = body === '' || 'content-length' in headers ? {} : { 'content-length': '500' };
  const all = {
    ...headers,
    ...length,
    ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }),
  };
  const lines = Object.entries({ host: `127.0.0.1:${port}`, ...all }).map((one) => one.join(': '));
  return `${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${body}`;
}

/** The address, as a proxy would add it, or as an attacker would. */
const forwardedFor = [
  undefined,
  '198.51.100.7',
  'unknown',
  '',
  ', ,',
  '::ffff:1.2.3.4, x, [::1]:5',
];

type Step = (socket: Socket, text: string) => Promise<unknown>;
const firstBytes = (socket: Socket) => Promise.race([once(socket, 'data'), setTimeout(200)]);

/** What a client does before its connection ends. */
const steps: Readonly<Record<string, Step>> = {
  'nothing sent': async () => undefined,
  'half of the request': async (socket, text) => socket.write(text.slice(0, text.length / 2)),
  'the request': async (socket, text) => socket.write(text),
  'the request and a turn': async (socket, text) => {
    socket.write(text);
    await setImmediate();
  },
  'the request and a moment': async (socket, text) => {
    socket.write(text);
    await setTimeout(2);
  },
  'the first bytes of the response': async (socket, text) => {
    socket.write(text);
    await firstBytes(socket);
  },
  'the first bytes, and then a pause': async (socket, text) => {
    socket.write(text);
    await firstBytes(socket);
    socket.pause();
    await setTimeout(5);
  },
  'three requests at once': async (socket, text) => socket.write(text.repeat(3)),
  'three requests, and the first bytes': async (socket, text) => {
    socket.write(text.repeat(3));
    await firstBytes(socket);
  },
};

const ends: Readonly<Record<string, (socket: Socket) => void>> = {
  reset: (socket) => void socket.resetAndDestroy(),
  'half-close': (socket) => void socket.end(),
};

async function vanish(step: Step, end: (socket: Socket) => void, text: string): Promise<void> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  await step(socket, text);
  end(socket);
  const closed = once(socket, 'close');
  socket.resume();
  // A response that continues after a half-close is broken off.
  await Promise.race([closed, setTimeout(20)]);
  socket.destroy();
}

it.each([
  ['no proxy', {}],
  ['one proxy', { TRUST_PROXY: '1' }],
  ['two proxies', { TRUST_PROXY: '2' }],
  ['a network of proxies', { TRUST_PROXY: '127.0.0.0/8,::1' }],
])('the server outlives them and logs no error, with %s', async (_, settings) => {
  const kinds = await start(settings);
  let asked = 0;
  for (const step of Object.values(steps)) {
    for (const end of Object.values(ends)) {
      const texts = kinds.map((kind) => {
        asked += 1;
        return write(kind, forwardedFor[asked % forwardedFor.length]);
      });
      await Promise.all(texts.map((text) => vanish(step, end, text)));
    }
  }
  for (const { name, method, path, headers } of kinds) {
    if (method !== undefined || name === 'events') continue;
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: headers ?? {} });
    await response.arrayBuffer();
    expect([name, response.status < 500]).toEqual([name, true]);
  }
  server.child.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
});

describe('connections of one address', () => {
  const get = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';

  /** Opens connections that stay open. Returns those that have got a response. */
  async function hold(count: number): Promise<Socket[]> {
    const sockets = Array.from({ length: count }, () =>
      connect(port, '127.0.0.1', function (this: Socket) {
        this.write(get);
      }).on('error', () => undefined),
    );
    opened.defer(() => {
      for (const socket of sockets) socket.destroy();
    });
    const hasResponded = await Promise.all(
      sockets.map(
        (socket) =>
          new Promise<boolean>((resolve) => {
            socket.once('data', () => resolve(true)).once('close', () => resolve(false));
          }),
      ),
    );
    return sockets.filter((_, at) => hasResponded[at]);
  }

  it('connections of one address are limited, and counted until they are closed', async () => {
    const url = await startServer({ CONNECTIONS_PER_ADDRESS: '20' });
    const held = await hold(50);
    expect(held).toHaveLength(20);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
    for (const socket of held) socket.destroy();
    await expect.poll(async () => (await hold(1)).length).toBe(1);
    server.child.kill('SIGTERM');
    const { stderr } = await server.ended;
    expect(stderr).toBe('');
  });

  it.each(['1', '127.0.0.0/8'])(
    'connections of one address are not limited for a proxy (TRUST_PROXY=%s)',
    async (proxy) => {
      await startServer({ CONNECTIONS_PER_ADDRESS: '20', TRUST_PROXY: proxy });
      expect(await hold(50)).toHaveLength(50);
    },
  );
});
