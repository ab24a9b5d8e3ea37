import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Response } from 'light-my-request';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { User } from '../../src/domain/foundation/accounts/index.ts';
import type { Podcast } from '../../src/domain/publishing/podcasts/index.ts';
import { makeApiKey } from '../../src/lib/api-key.ts';
import { createBrowser } from '../create-browser.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import { makeEpisode, makeKey, makePodcast, makeUser } from '../make.ts';
import { patience } from '../patience.ts';

const floodSize = 100;
/** A request has up to five statements, and each waits for those of two clients of the flood. */
const few = 30;
const stepMs = 10;

const attacker = '198.51.100.66';
const visitor = '203.0.113.9';

let app: TestApp;
let owner: User;
let podcast: Podcast;
let warm: Podcast;
beforeAll(async () => {
  app = await createTestApp();
  warm = await makePodcast(app.ctx);
});
afterAll(() => app[Symbol.asyncDispose]());

beforeEach(async () => {
  owner = await makeUser(app.ctx);
  podcast = await makePodcast(app.ctx, { owner });
  await makeEpisode(app.ctx, podcast);
});

const read = (url: string, remoteAddress: string, headers: Record<string, string> = {}) =>
  app.request({ url, remoteAddress, headers });

/** Lets statements have connections only one after the other, in the order in which they ask. */
function openGate() {
  const { pool } = app.database;
  const connect = pool.connect.bind(pool);
  const waiting: (() => void)[] = [];
  const gated = vi.spyOn(pool, 'connect').mockImplementation((callback?: unknown) => {
    if (callback !== undefined) return connect(callback as never);
    return new Promise<PoolClient>((resolve) => waiting.push(() => resolve(connect())));
  });
  return {
    waiting,
    async pass(): Promise<void> {
      waiting.shift()?.();
      // What it was waited for asks for its next statement.
      await setTimeout(stepMs);
    },
    [Symbol.dispose]() {
      gated.mockRestore();
      for (const begin of waiting) begin();
    },
  };
}

/** How many statements a request waits for that comes after a flood, with its own; and its status. */
async function waitBehind(
  flood: (n: number) => Promise<unknown>,
  request: () => Promise<Response>,
): Promise<{ readonly statements: number; readonly status: number | undefined }> {
  // Confirms the caches, which takes longer than a statement.
  await read(`/v1/podcasts/${warm.slug}`, visitor);
  const all: Promise<unknown>[] = [];
  let [statements, status]: [number, number?] = [0];
  {
    using gate = openGate();
    for (let n = 0; n < floodSize; n += 1) all.push(flood(n));
    await vi.waitFor(() => expect(gate.waiting).not.toEqual([]), patience);
    await read('/healthz', attacker);
    all.push(request().then(({ statusCode }) => (status = statusCode)));
    await setTimeout(stepMs);
    for (; status === undefined && statements < floodSize; statements += 1) await gate.pass();
  }
  await Promise.all(all);
  return { statements, status };
}

/** A whole feed has so many statements that it would wait for many others. */
const feedWithWrongCursor = (address: string) =>
  read(`/feeds/${podcast.slug}.xml?cursor=1`, address);

const inventedFeed = (n: number) => read(`/feeds/x${n}.xml`, attacker);

it('a network that asks for many invented names delays the shows of others by a few statements', async () => {
  const season = (n: number) => read(`/v1/podcasts/${podcast.slug}/episodes?season=${n}`, visitor);
  const ofNewShow = await waitBehind(inventedFeed, () => season(1));
  expect(ofNewShow.status).toBe(200);
  expect(ofNewShow.statements).toBeLessThan(few);
  const ofKnownShow = await waitBehind(inventedFeed, () => season(2));
  expect(ofKnownShow.status).toBe(200);
  expect(ofKnownShow.statements).toBeLessThan(few);
  // A feed begins with a statement by its name, and this name has never been requested.
  const ofFeed = await waitBehind(inventedFeed, () => feedWithWrongCursor(visitor));
  expect(ofFeed.status).toBe(400);
  expect(ofFeed.statements).toBeLessThan(few);
});

it('an IPv6 client that uses many of its networks for invented names is one network', async () => {
  const flood = (n: number) => read(`/feeds/x${n}.xml`, `2001:db8:7:${n.toString(16)}::1`);
  const { statements, status } = await waitBehind(flood, () =>
    read(`/v1/podcasts/${podcast.slug}`, visitor),
  );
  expect(status).toBe(200);
  expect(statements).toBeLessThan(few);
});

it('invented names delay names that are known by a few statements, even in the same network', async () => {
  expect((await read(`/feeds/${podcast.slug}.xml`, visitor)).statusCode).toBe(200);
  const { statements, status } = await waitBehind(inventedFeed, () =>
    feedWithWrongCursor(attacker),
  );
  expect(status).toBe(400);
  expect(statements).toBeLessThan(few);
});

const inventedCookie = () => ({
  cookie: `podstead_session=${randomBytes(32).toString('base64url')}`,
});
const inventedKey = () => ({ authorization: `Bearer ${makeApiKey()}` });
const withCookie = () => read('/app/api/me', attacker, inventedCookie());
const withKey = () => read('/v1/me', attacker, inventedKey());

it.each([
  ['session cookies', withCookie],
  ['keys', withKey],
])(
  'a network that invents %s delays the accounts of others by a few statements',
  async (_, flood) => {
    const browser = createBrowser(app, { address: visitor });
    await browser.signIn(owner.email);
    const { secret } = await makeKey(app.ctx, owner);
    const keyed = () => read('/v1/me', visitor, { authorization: `Bearer ${secret}` });
    for (const request of [() => browser.get('/app/api/me'), keyed]) {
      // The first look-up of this secret, and a later one.
      for (const time of ['first', 'later']) {
        const { statements, status } = await waitBehind(flood, request);
        expect(status).toBe(200);
        expect(statements, time).toBeLessThan(few);
      }
    }
  },
);

it('a session and a key that are known are not delayed by invented ones of their own network', async () => {
  const browser = createBrowser(app, { address: attacker });
  await browser.signIn(owner.email);
  const { secret } = await makeKey(app.ctx, owner);
  const keyed = () => read('/v1/me', attacker, { authorization: `Bearer ${secret}` });
  for (const request of [() => browser.get('/app/api/me'), keyed]) {
    expect((await request()).statusCode).toBe(200);
    for (const flood of [withCookie, withKey]) {
      const { statements, status } = await waitBehind(flood, request);
      expect(status).toBe(200);
      expect(statements).toBeLessThan(few);
    }
  }
});

const onServer = it.runIf(process.env['TEST_DATABASE'] === 'postgres');

onServer('a network with invented secrets uses two fifths of the connections', async () => {
  const all: Promise<unknown>[] = [];
  {
    using gate = openGate();
    for (let n = 0; n < floodSize; n += 1) all.push(withCookie(), withKey());
    // Cookies and keys take the same turns: two of the five connections of a test.
    await vi.waitFor(() => expect(gate.waiting).toHaveLength(2), patience);
    await read('/healthz', attacker);
    await setTimeout(stepMs);
    expect(gate.waiting).toHaveLength(2);
  }
  await Promise.all(all);
});

it('an invented secret and one that has ended cost one statement, like one that is known', async () => {
  const browser = createBrowser(app, { address: visitor });
  await browser.signIn(owner.email);
  const connect = vi.spyOn(app.database.pool, 'connect');
  const count = async (request: () => Promise<Response>) => {
    connect.mockClear();
    const { statusCode } = await request();
    return [statusCode, connect.mock.calls.length];
  };
  const own = () => browser.get('/app/api/sessions');
  const [first, later] = [await count(own), await count(own)];
  expect(later).toEqual(first);
  expect(await count(withCookie)).toEqual([401, 1]);
  await app.database.pool.query('delete from sessions');
  expect(await count(own)).toEqual([401, 1]);
  expect(await count(own)).toEqual([401, 1]);
  connect.mockRestore();
});
