import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Podcast, updatePodcast } from '../../../src/domain/publishing/podcasts/index.ts';
import { type Browser, openMember } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { makePodcast } from '../../make.ts';
import { patience } from '../../patience.ts';
import { watchEvents } from '../../watch-events.ts';

let app: TestApp;
let podcast: Podcast;
let browsers: Browser[];
beforeAll(async () => {
  app = await createTestApp();
  podcast = await makePodcast(app.ctx);
  browsers = await Promise.all([1, 2, 3].map(() => openMember(app, podcast, 'admin')));
});
afterAll(() => app[Symbol.asyncDispose]());

/** Only a database server lets others wait for a lock. */
const onServer = it.runIf(process.env['TEST_DATABASE'] === 'postgres');

/** Runs `act` while nobody can read the table. It gets the number of statements that wait to. */
async function whileLocked(
  table: 'episodes' | 'people',
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

/** Resolves with responses to these requests, of which one of a user may read at once, and two of all. */
async function expectTurns(table: 'episodes' | 'people', paths: readonly string[]) {
  const [one, ...others] = browsers as [Browser, ...Browser[]];
  const ask = (browser: Browser) => paths.map((path) => browser.get(path));
  const responses: ReturnType<Browser['get']>[] = [];
  await whileLocked(table, async (countReaders) => {
    responses.push(...ask(one));
    await vi.waitFor(async () => expect(await countReaders()).toBe(1), patience);
    // Longer than the other requests need to reach the database.
    expect((await one.get('/app/api/me')).statusCode).toBe(200);
    expect(await countReaders()).toBe(1);
    responses.push(...others.flatMap(ask));
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
    return expectTurns('episodes', ['/app/api/home', '/app/api/account', ...ofShow]);
  },
);

onServer('lists of people of one user are read one at a time, and two of all users', () =>
  expectTurns('people', Array(3).fill(`/app/api/podcasts/${podcast.id}/people`)),
);

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
