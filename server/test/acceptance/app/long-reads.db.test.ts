import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { User } from '../../../src/domain/foundation/accounts/index.ts';
import type { Episode } from '../../../src/domain/publishing/episodes/index.ts';
import { creditMember } from '../../../src/domain/publishing/people/index.ts';
import {
  addMember,
  type Podcast,
  setTeamKeys,
  updatePodcast,
} from '../../../src/domain/publishing/podcasts/index.ts';
import { askWithKey } from '../../ask-with-key.ts';
import { type Browser, openMember, openSignedIn } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { makeEpisode, makeKey, makePodcast, makeUser } from '../../make.ts';
import { patience } from '../../patience.ts';
import { watchEvents } from '../../watch-events.ts';

let app: TestApp;
let podcast: Podcast;
let browsers: Browser[];
let episodes: Episode[];
beforeAll(async () => {
  app = await createTestApp();
  podcast = await makePodcast(app.ctx, { owner: await makeUser(app.ctx, 'enterprise') });
  await setTeamKeys(app.ctx, { podcastId: podcast.id, allowed: true });
  episodes = [await makeEpisode(app.ctx, podcast), await makeEpisode(app.ctx, podcast)];
});
afterAll(() => app[Symbol.asyncDispose]());
// Others in each test: who has just waited for a lock is slow, and has fewer turns.
beforeEach(async () => {
  browsers = await Promise.all([1, 2, 3].map(() => openMember(app, podcast, 'admin')));
});

type LockedTable = 'episodes' | 'people' | 'episode_credits';
type Ask = () => ReturnType<Browser['get']>;

/** Only a database server lets others wait for a lock. */
const onServer = it.runIf(process.env['TEST_DATABASE'] === 'postgres');

/** Runs `act` while nobody can read the table. It gets the number of statements that wait to. */
async function whileLocked(
  table: LockedTable,
  act: (countReaders: () => Promise<number>) => Promise<void>,
): Promise<void> {
  const { promise: isReadable, resolve: unlock } = Promise.withResolvers<void>();
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>();
  const lock = app.ctx.db.transaction().execute(async (tx) => {
    await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(tx);
    locked();
    await isReadable;
  });
  await isLocked;
  const countReaders = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(distinct pid)::integer as count from pg_locks
      where not granted and relation = ${table}::regclass`.execute(app.ctx.db);
    return rows[0]?.count ?? 0;
  };
  try {
    await act(countReaders);
  } finally {
    unlock();
    await lock;
  }
}

const askAll = (paths: readonly string[]) =>
  browsers.map((browser) => paths.map((path) => () => browser.get(path)));

/** Makes the requests of these users, of which one of a user may read at once, and two of all. */
async function expectTurns(table: LockedTable, requests: readonly (readonly Ask[])[]) {
  const [ofOne = [], ...ofOthers] = requests;
  const [one] = browsers as [Browser, ...Browser[]];
  const responses: ReturnType<Ask>[] = [];
  await whileLocked(table, async (countReaders) => {
    responses.push(...ofOne.map((ask) => ask()));
    await vi.waitFor(async () => expect(await countReaders()).toBe(1), patience);
    // Longer than the other requests need to reach the database.
    expect((await one.get('/app/api/me')).statusCode).toBe(200);
    expect(await countReaders()).toBe(1);
    responses.push(...ofOthers.flat().map((ask) => ask()));
    await vi.waitFor(async () => expect(await countReaders()).toBe(2), patience);
    for (const browser of browsers) {
      expect((await browser.get('/app/api/me')).statusCode).toBe(200);
    }
    expect(await countReaders()).toBe(2);
  });
  const statuses = (await Promise.all(responses)).map(({ statusCode }) => statusCode);
  expect(statuses).toEqual(statuses.map(() => 200));
}

onServer(
  'home pages, accounts, lists, searches, health checks and first steps of one user are read one at a time, and two of all users',
  () => {
    const paths = ['episodes', 'episodes?q=a', 'health', 'first-steps', 'health'];
    const ofShow = paths.map((path) => `/app/api/podcasts/${podcast.id}/${path}`);
    return expectTurns('episodes', askAll(['/app/api/home', '/app/api/account', ...ofShow]));
  },
);

onServer('lists of people of one user are read one at a time, and two of all users', () =>
  expectTurns('people', askAll(Array(3).fill(`/app/api/podcasts/${podcast.id}/people`))),
);

/** A new co-host whom all episodes credit. */
async function makeCoHost(): Promise<User> {
  const user = await makeUser(app.ctx);
  const member = { podcastId: podcast.id, userId: user.id };
  await addMember(app.ctx, { ...member, role: 'cohost' });
  const ids = episodes.map(({ id }) => id);
  await creditMember(app.ctx, member, ids);
  return user;
}

onServer(
  'teams and the credits of members are read one at a time by one user, and two by all',
  async () => {
    const members = `/app/api/podcasts/${podcast.id}/members`;
    const credits = `${members}/${(await makeCoHost()).id}/credits`;
    await expectTurns('episode_credits', askAll([members, credits, members]));
  },
);

onServer(
  'all pages of episodes that credit a co-host, also for keys, are read one at a time, and two of all users',
  async () => {
    const ofShow = `podcasts/${podcast.id}/episodes`;
    const list = `/app/api/${ofShow}?sort=title&limit=1`;
    const first = await (await openMember(app, podcast, 'admin')).get(list);
    const { next_cursor: next } = first.json().pagination;
    expect(next).toEqual(expect.any(String));
    const ofCoHosts: Ask[][] = [];
    for (let count = 0; count < 3; count += 1) {
      const user = await makeCoHost();
      const browser = await openSignedIn(app, user);
      const { secret } = await makeKey(app.ctx, user);
      ofCoHosts.push([
        () => browser.get(`${list}&cursor=${next}`),
        () => askWithKey(app, secret, `/v1/me/${ofShow}?status=published`),
        () => askWithKey(app, secret, `/v1/me/${ofShow}`),
      ]);
    }
    await expectTurns('episode_credits', ofCoHosts);
  },
);

onServer('somebody is invited to a show while nobody can read its credits', async () => {
  const [browser] = browsers as [Browser];
  await whileLocked('episode_credits', async () => {
    const body = { email: 'invited@example.com', role: 'cohost' };
    const { statusCode } = await browser.send(
      'POST',
      `/app/api/podcasts/${podcast.id}/invitations`,
      body,
    );
    expect(statusCode).toBe(201);
  });
});

onServer(
  'after an edit, the open windows of one user read what has changed one at a time, and two of all users',
  async () => {
    const address = await app.http.server.listen({ port: 0, host: '127.0.0.1' });
    const url = `${address}/app/api/events?podcast=${podcast.id}`;
    await using windows = new AsyncDisposableStack();
    const opened = await Promise.all(
      browsers
        .flatMap(({ cookie = '' }) => [cookie, cookie, cookie])
        .map(async (cookie) => windows.use(await watchEvents(url, cookie))),
    );
    const countNames = (name: string) =>
      opened.filter(({ events }) => events.some((event) => event.name === name)).length;
    await vi.waitFor(() => expect(countNames('ready')).toBe(opened.length), patience);
    await whileLocked('episodes', async (countReaders) => {
      await app.ctx.announcements.announce(app.ctx.db, podcast.id);
      await vi.waitFor(async () => expect(await countReaders()).toBe(2), patience);
      // All windows learned of it at once. This takes longer than their statements need to arrive.
      for (const browser of browsers) {
        expect((await browser.get('/app/api/me')).statusCode).toBe(200);
      }
      expect(await countReaders()).toBe(2);
    });
    await updatePodcast(app.ctx, podcast.id, { title: 'Another title' });
    await vi.waitFor(() => expect(countNames('podcast.changed')).toBe(opened.length), patience);
  },
);
