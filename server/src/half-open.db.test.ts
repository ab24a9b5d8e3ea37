import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DatabaseProxy } from '../test/database-proxy.ts';
import { freePort } from '../test/free-port.ts';
import { type FakeS3, openFakeS3 } from '../test/hosts/fake-s3.ts';
import { redisAvailable, testRedisUrl } from '../test/hosts/redis.ts';
import { patience } from '../test/patience.ts';
import { type Program, startProgram } from '../test/start-program.ts';
import { createTestDatabase } from '../test/test-database.ts';
import { tickedMs } from '../test/ticked-ms.ts';
import { listenScript, playerScript, visitScript } from './http/embed/player-script.ts';

// All outside services accept connections and never respond, as after a failure of a network or a host.

/** A busy machine takes its time, but after this the server would close an idle connection. */
const answerWithinMs = 110_000;
const stopWithinMs = 10_000;
const hasRedis = await redisAvailable();
/** With the limits of time of the product. */
const plainRedisUrl = testRedisUrl.split('?')[0] ?? '';

let opened: AsyncDisposableStack;
let s3: FakeS3;
let proxies: DatabaseProxy[];
let env: Record<string, string>;
let folder: string;
let url: string;

const start = (argv: readonly string[]) => startProgram(argv, { cwd: folder, env });

async function openSmtp(): Promise<string> {
  const silent = createServer((socket) => socket.on('error', () => undefined)).listen(
    0,
    '127.0.0.1',
  );
  await once(silent, 'listening');
  opened.defer(() => void silent.close());
  return `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`;
}

async function through(target: string): Promise<string> {
  const by = await DatabaseProxy.open(target);
  proxies.push(opened.use(by.proxy));
  return by.url;
}

beforeEach(async () => {
  opened = new AsyncDisposableStack();
  proxies = [];
  folder = await mkdtemp(join(tmpdir(), 'podstead-half-open-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  s3 = opened.use(await openFakeS3());
  const database =
    process.env['TEST_DATABASE'] === 'postgres'
      ? opened.use(await createTestDatabase())
      : undefined;
  const port = await freePort();
  url = `http://localhost:${port}`;
  env = {
    ...s3.settings,
    PORT: String(port),
    DATA_DIR: join(folder, 'data'),
    PUBLIC_RATE_LIMIT: '0',
    SMTP_URL: await openSmtp(),
    ...(database?.url && { DATABASE_URL: await through(database.url), SECRET: 'x'.repeat(32) }),
    ...(hasRedis && { REDIS_URL: await through(plainRedisUrl) }),
  };
});
afterEach(() => opened.disposeAsync());

async function serve(): Promise<Program> {
  const server = start(['serve']);
  opened.defer(async () => {
    server.child.kill('SIGKILL');
    await server.ended;
  });
  return server;
}

function silence(): void {
  s3.misbehave(() => undefined);
  for (const proxy of proxies) proxy.swallow('all');
}

/** The end after SIGTERM, and the milliseconds until then. */
async function stop(server: Program) {
  server.child.kill('SIGTERM');
  const tookMs = await tickedMs(server.ended);
  const { code, stderr } = await server.ended;
  return { code, stderr, tookMs };
}

const ask = (path: string, headers = {}) =>
  fetch(url + path, { headers, signal: AbortSignal.timeout(answerWithinMs) });

describe('a server whose outside services never respond', () => {
  it('responds 503 in limited time, sends emails on, and ends', async () => {
    const server = await serve();
    await server.ready();
    const episode = {
      ref: 'e',
      slug: 'e',
      title: 'E',
      status: 'published',
      audio: { tone_seconds: 2 },
    };
    const seeds = {
      users: [{ ref: 'ana', email: 'ana@example.com', password: 'correct horse' }],
      podcasts: [{ ref: 'p', owner: 'ana', slug: 'show', title: 'S', episodes: [episode] }],
    };
    await writeFile(join(folder, 'seeds.json'), JSON.stringify(seeds));
    expect(await start(['seed', 'seeds.json']).ended).toMatchObject({ code: 0 });
    const found = await ask('/v1/podcasts/show/episodes/e');
    const { data } = (await found.json()) as { data: { audio: { url: string } } };
    const audio = new URL(data.audio.url).pathname;
    expect((await ask(audio)).status).toBe(200);
    expect((await ask('/readyz')).status).toBe(200);
    // Its owner gets an email.
    const created = await start(['key', 'create', 'ana@example.com']).ended;
    expect(created).toMatchObject({ code: 0 });
    const { secret } = JSON.parse(created.stdout);

    silence();
    const keyed = { authorization: `Bearer ${secret}` };
    // It may still say what it found before.
    await expect.poll(async () => (await ask('/readyz')).status, patience).toBe(503);
    const asked = [ask('/readyz'), ask(audio), ask('/readyz'), ask('/v1/me', keyed)];
    const responses = await Promise.all(asked);
    const [ready, bytes] = responses;
    expect([ready?.status, bytes?.status]).toEqual([503, 503]);
    for (const response of [ready, bytes]) {
      expect(Number(response?.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(await ready?.text()).toContain('store (no response)');
    expect(responses[3]?.status).toBe(env['DATABASE_URL'] === undefined ? 200 : 503);
    expect((await ask('/healthz')).status).toBe(200);

    const { code, tookMs, stderr } = await stop(server);
    expect(tookMs).toBeLessThan(stopWithinMs);
    expect(code).toBe(0);
    expect(stderr.match(/"msg":"store is unavailable"/g)).toHaveLength(1);
  });

  it('a server whose outside services never respond ends while it starts', async () => {
    const asked = Promise.withResolvers<void>();
    s3.misbehave(() => asked.resolve());
    const server = await serve();
    await asked.promise;
    const { tookMs } = await stop(server);
    expect(tookMs).toBeLessThan(stopWithinMs);
  });

  it('a server whose file store never responds starts nevertheless, and stores what it has to when that is back', async () => {
    const held: ServerResponse[] = [];
    s3.misbehave((_request, response) => void held.push(response));
    const server = await serve();
    await server.ready();
    expect((await ask('/readyz')).status).toBe(503);
    s3.misbehave((_request, response) => void response.destroy());
    for (const response of held) response.destroy();
    expect((await ask('/readyz')).status).toBe(503);
    s3.misbehave();
    await expect.poll(async () => (await ask('/readyz')).status, patience).toBe(200);
    const scripts = [listenScript, playerScript, visitScript].map(
      ({ fileName }) => `player/${fileName}`,
    );
    const stored = () => [...s3.objects.keys()];
    await expect.poll(stored, patience).toEqual(expect.arrayContaining(scripts));
    expect((await stop(server)).tookMs).toBeLessThan(stopWithinMs);
  });
});
