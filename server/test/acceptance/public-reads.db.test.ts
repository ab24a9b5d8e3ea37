import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import type { Response } from 'light-my-request';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { User } from '../../src/domain/foundation/accounts/index.ts';
import { transact } from '../../src/domain/foundation/context.ts';
import { type Podcast, updatePodcast } from '../../src/domain/publishing/podcasts/index.ts';
import { createBrowser } from '../create-browser.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import { makeEpisode, makePodcast, makeUser } from '../make.ts';
import { patience } from '../patience.ts';

let app: TestApp;
let owner: User;
let flooded: Podcast;
let other: Podcast;
let third: Podcast;
let port: number;
const clients: Socket[] = [];

beforeAll(async () => {
  app = await createTestApp();
  await app.http.server.listen({ port: 0, host: '127.0.0.1' });
  port = (app.http.server.server.address() as AddressInfo).port;
});
afterAll(() => app[Symbol.asyncDispose]());

beforeEach(async () => {
  owner = await makeUser(app.ctx);
  flooded = await makePodcast(app.ctx, { owner });
  other = await makePodcast(app.ctx);
  third = await makePodcast(app.ctx);
  for (const show of [flooded, other, third]) await makeEpisode(app.ctx, show);
  // From now on, the shows are cached, as those of a flood are.
  for (const show of [flooded, other, third]) await statusOf(request(seasonOf(show)));
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  // The next test counts connections.
  await vi.waitUntil(() => busy() === 0 && app.database.pool.waitingCount === 0, patience);
});

interface Sent {
  readonly client: Socket;
  readonly response: Promise<string>;
}

const request = (path: string) => send(`GET ${path}`);

function send(line: string, headers: readonly string[] = [], body = ''): Sent {
  const client = connect(port, '127.0.0.1').on('error', () => undefined);
  clients.push(client);
  const head = [`${line} HTTP/1.1`, 'Host: test.local', 'Connection: close', ...headers];
  client.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  // Empty if the client leaves.
  return { client, response: text(client).catch(() => '') };
}

function post(path: string, body: string, type: string): Sent {
  const headers = [`Content-Type: ${type}`, `Content-Length: ${body.length}`];
  return send(`POST ${path}`, ['Origin: http://test.local', ...headers], body);
}

const formType = 'application/x-www-form-urlencoded';
const signInAsNobody = () => post('/app/sign-in', 'email=nobody&password=wrong+wrong', formType);

/** Reads of a show that no cache has, each another one. */
const flood = (count: number, { slug }: Podcast): Sent[] =>
  Array.from({ length: count }, (_, n) => request(`/v1/podcasts/${slug}/episodes?season=${n}`));

const statusOf = async ({ response }: Sent) => (await response).slice(9, 12);

/** Connections of the pool that are in use. */
const busy = () => app.database.pool.totalCount - app.database.pool.idleCount;

const seasonOf = (podcast: Podcast) => `/v1/podcasts/${podcast.slug}/episodes?season=1`;

/** Makes all statements about it wait until it is ended. */
async function lockTable(name: 'episodes' | 'attempts'): Promise<AsyncDisposable> {
  const client = new pg.Client(app.databaseUrl);
  await client.connect();
  await client.query(`begin; lock table ${name} in access exclusive mode`);
  return { [Symbol.asyncDispose]: () => client.end() };
}

/** Keeps every connection of the pool until it is ended. */
async function useAllConnections(): Promise<Disposable> {
  const { pool } = app.database;
  const used = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  return { [Symbol.dispose]: () => used.forEach((client) => void client.release()) };
}

const onServer = it.runIf(process.env['TEST_DATABASE'] === 'postgres');

onServer('pages of one show that do not exist share one statement', async () => {
  const browser = createBrowser(app);
  await browser.signIn(owner.email);
  // So that they only read what they offer instead.
  expect(await statusOf(request(`/listen/${flooded.slug}/`))).toBe('301');
  const sent: Sent[] = [];
  {
    await using _ = await lockTable('episodes');
    for (let n = 0; n < 20; n += 1) sent.push(request(`/listen/${flooded.slug}/No_Slug_${n}`));
    await vi.waitFor(() => expect(busy()).toBe(1), patience);
    for (let n = 0; n < 5; n += 1) expect((await browser.get('/app/api/me')).statusCode).toBe(200);
    await vi.waitFor(() => expect(busy()).toBe(1), patience);
  }
  expect(await Promise.all(sent.map(statusOf))).toEqual(sent.map(() => '404'));
});

onServer('many reads of one show leave connections to other shows and to accounts', async () => {
  const browser = createBrowser(app);
  await browser.signIn(owner.email);
  const sent: Sent[] = [];
  {
    await using _ = await lockTable('episodes');
    sent.push(...flood(100, flooded));
    // Two of the five connections of a test.
    await vi.waitFor(() => expect(busy()).toBe(2), patience);
    expect((await browser.get('/app/api/me')).statusCode).toBe(200);
    sent.push(request(seasonOf(other)));
    await vi.waitFor(() => expect(busy()).toBe(3), patience);
    // All shows together leave one.
    sent.push(...flood(10, third));
    await vi.waitFor(() => expect(busy()).toBe(4), patience);
    expect((await browser.get('/app/api/me')).statusCode).toBe(200);
    expect(busy()).toBe(4);
  }
  expect(new Set(await Promise.all(sent.map(statusOf)))).toEqual(new Set(['200']));
});

onServer('many sign-ins from one network leave connections to others', async () => {
  const browser = createBrowser(app);
  await browser.signIn(owner.email);
  const signIns: Promise<Response>[] = [];
  const signIn = (address: string) => {
    const fields = { email: 'nobody@example.com', password: 'wrong wrong' };
    signIns.push(createBrowser(app, { address }).submit('/app/sign-in', fields));
  };
  {
    await using _ = await lockTable('attempts');
    for (let n = 0; n < 20; n += 1) signIn('198.51.100.9');
    await vi.waitFor(() => expect(busy()).toBe(2), patience);
    signIn('203.0.113.9');
    await vi.waitFor(() => expect(busy()).toBe(3), patience);
    expect((await browser.get('/app/api/me')).statusCode).toBe(200);
  }
  const statuses = (await Promise.all(signIns)).map(({ statusCode }) => statusCode);
  expect(statuses).not.toContain(503);
});

it('a read of another show is answered before what has waited longer for a flooded one', async () => {
  const order: string[] = [];
  const all: Promise<unknown>[] = [];
  const note = (name: string, sent: readonly Sent[]) =>
    all.push(...sent.map(({ response }) => response.then(() => order.push(name))));
  {
    using _ = await useAllConnections();
    note('flooded', flood(100, flooded));
    await vi.waitFor(() => expect(app.database.pool.waitingCount).toBeGreaterThan(0), patience);
    note('other', [request(seasonOf(other))]);
    await statusOf(request('/healthz'));
  }
  await Promise.all(all);
  // In the order of their arrival, it would be the last of 101.
  expect(order.indexOf('other')).toBeLessThan(50);
});

it('a read of a show is answered before what has waited longer at a URL with other queries', async () => {
  const order: string[] = [];
  const all: Promise<unknown>[] = [];
  const note = (name: string, { response }: Sent) =>
    all.push(response.then(() => order.push(name)));
  {
    using _ = await useAllConnections();
    for (let n = 0; n < 100; n += 1) {
      const page = encodeURIComponent(`http://test.local/listen/nothing-${n}`);
      note('oEmbed', request(`/v1/oembed?url=${page}`));
    }
    await vi.waitFor(() => expect(app.database.pool.waitingCount).toBeGreaterThan(0), patience);
    note('show', request(seasonOf(other)));
    await statusOf(request('/healthz'));
  }
  await Promise.all(all);
  expect(order.indexOf('show')).toBeLessThan(50);
});

it('reads of a show beyond those that may wait are refused, and all others are answered', async () => {
  const sent: Sent[] = [];
  {
    using _ = await useAllConnections();
    sent.push(...flood(400, flooded));
    const refused = await Promise.race(sent.map(({ response }) => response));
    expect(refused).toMatch(/^HTTP\/1.1 503 /);
    expect(refused).toMatch(/^Retry-After: 5\r$/im);
  }
  const statuses = await Promise.all(sent.map(statusOf));
  const complete = statuses.filter((status) => status === '200');
  expect(complete.length).toBeGreaterThan(199);
  expect(statuses.filter((status) => status === '503')).toHaveLength(400 - complete.length);
});

it('a client that leaves gives up its place', async () => {
  const waiting: Sent[] = [];
  const connections = await useAllConnections();
  const statements = vi.spyOn(app.database.pool, 'connect');
  {
    using _ = connections;
    waiting.push(...flood(50, flooded));
    await vi.waitFor(() => expect(app.database.pool.waitingCount).toBeGreaterThan(0), patience);
    await statusOf(request('/healthz'));
    for (const { client } of waiting) client.destroy();
    await statusOf(request('/healthz'));
    await vi.waitFor(async () => expect(await openConnections()).toBe(0), patience);
  }
  expect(await statusOf(request(seasonOf(other)))).toBe('200');
  // Those that had their turn, and the two statements of the other show.
  expect(statements.mock.calls.length).toBeLessThan(10);
  statements.mockRestore();
});

it('a client that leaves ends nothing for which others wait', async () => {
  // The statements that find the show, and those of its page.
  await updatePodcast(app.ctx, other.id, { title: 'Another title' });
  const [first, second] = await (async () => {
    using _ = await useAllConnections();
    const sent = [request(`/v1/podcasts/${other.slug}`), request(`/v1/podcasts/${other.slug}`)];
    await statusOf(request('/healthz'));
    sent[0]?.client.destroy();
    await statusOf(request('/healthz'));
    return sent;
  })();
  expect(await first?.response).toBe('');
  expect(await (second && statusOf(second))).toBe('200');
});

it('clients that leave before their sign-in has begun cost no statements', async () => {
  const waiting: Sent[] = [];
  const statements = vi.spyOn(app.database.pool, 'connect');
  {
    using _ = await useAllConnections();
    statements.mockClear();
    for (let n = 0; n < 100; n += 1) waiting.push(signInAsNobody());
    await vi.waitFor(() => expect(app.database.pool.waitingCount).toBeGreaterThan(0), patience);
    await statusOf(request('/healthz'));
    for (const { client } of waiting) client.destroy();
    await vi.waitFor(async () => expect(await openConnections()).toBe(0), patience);
  }
  // It would come after all that still wait.
  await signInAsNobody().response;
  // Those that had their turn go on: each has up to six.
  expect(statements.mock.calls.length).toBeLessThan(20);
  statements.mockRestore();
});

it('sign-ins beyond those that may wait are refused', async () => {
  const sent: Sent[] = [];
  {
    using _ = await useAllConnections();
    for (let n = 0; n < 300; n += 1) sent.push(signInAsNobody());
    const first = await Promise.race(sent.map(({ response }) => response));
    expect(first).toMatch(/^HTTP\/1.1 503 /);
    expect(first).toMatch(/^Retry-After: 5\r$/im);
    expect(first).toContain('Too many requests are waiting.');
    for (const { client } of sent) client.destroy();
  }
});

it.each([
  ['/hub', () => `${new URLSearchParams(subscription())}`, formType],
  ['/v1/sites/exchange', () => JSON.stringify(invented), 'application/json'],
])('many requests to %s from one network take turns', async (path, body, type) => {
  const sent: Sent[] = [];
  {
    using _ = await useAllConnections();
    for (let n = 0; n < 25; n += 1) sent.push(post(path, body(), type));
    await vi.waitFor(() => expect(app.database.pool.waitingCount).toBeGreaterThan(0), patience);
    await statusOf(request('/healthz'));
    // Of the five connections of a test, two.
    expect(app.database.pool.waitingCount).toBeLessThan(3);
  }
  const statuses = new Set(await Promise.all(sent.map(statusOf)));
  expect(statuses).toEqual(new Set([path === '/hub' ? '202' : '400']));
});

const invented = { code: 'x'.repeat(43), code_verifier: 'x'.repeat(43) };
const subscription = () => ({
  'hub.mode': 'subscribe',
  'hub.topic': `http://test.local/feeds/${other.slug}.xml`,
  'hub.callback': 'https://example.com/callback',
});

function openConnections(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  app.http.server.server.getConnections((_, count) => resolve(count));
  return promise;
}

it('a transaction of a public request is one turn', async () => {
  const { db } = app.ctx;
  const taken = vi.fn(async () => ({ [Symbol.dispose]: ended }));
  const ended = vi.fn();
  const inTurns = app.database.queryInTurns(taken);
  await sql`select 1`.execute(inTurns);
  expect([taken, ended].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  await transact({ ...app.ctx, db: inTurns }, async (ctx) => {
    await sql`select 1`.execute(ctx.db);
    await sql`select 2`.execute(ctx.db);
    expect([taken, ended].map(({ mock }) => mock.calls.length)).toEqual([2, 1]);
  });
  expect([taken, ended].map(({ mock }) => mock.calls.length)).toEqual([2, 2]);
  taken.mockRejectedValueOnce(new Error('too many wait'));
  await expect(sql`select 1`.execute(inTurns)).rejects.toThrow('too many wait');
  await sql`select 1`.execute(db);
});

it('a show is read from one network while another requests it on many connections, again and again', async () => {
  await using behindProxy = await createTestApp({ TRUST_PROXY: '1' });
  const { slug } = await makePodcast(behindProxy.ctx);
  const origin = await behindProxy.http.server.listen({ port: 0, host: '127.0.0.1' });
  const ask = (path: string, address: string) =>
    fetch(origin + path, { headers: { 'x-forwarded-for': address } });
  let answered = 0;
  let isOver = false;
  const askAgain = async () => {
    while (!isOver) {
      await (await ask(`/listen/${slug}?x=${answered}`, '198.51.100.9')).text();
      answered += 1;
    }
  };
  const flooding = Array.from({ length: 60 }, askAgain);
  // The name of the show is known from the first.
  await vi.waitUntil(() => answered > 120, patience);
  const before = answered;
  const { status } = await ask(`/v1/podcasts/${slug}/episodes?season=7`, '203.0.113.9');
  const meanwhile = answered - before;
  isOver = true;
  await Promise.all(flooding);
  expect(status).toBe(200);
  // It has a turn after each of the flood's. Of those that have had theirs, the responses take longer.
  expect(meanwhile).toBeLessThan(300);
});
