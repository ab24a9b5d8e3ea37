import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Podcast } from '../../../src/domain/publishing/podcasts/index.ts';
import { type Browser, openMember } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { makePodcast } from '../../make.ts';
import { patience } from '../../patience.ts';

let app: TestApp;
let podcast: Podcast;
let browsers: Browser[];
beforeAll(async () => {
  app = await createTestApp();
  podcast = await makePodcast(app.ctx);
  browsers = await Promise.all([1, 2, 3].map(() => openMember(app, podcast, 'admin')));
});
afterAll(() => app[Symbol.asyncDispose]());

/** The number of statements that wait to read episodes, which this test has locked. */
async function countReaders(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct pid)::integer as count from pg_locks
    where not granted and relation = 'episodes'::regclass`.execute(app.ctx.db);
  return rows[0]?.count ?? 0;
}

// Only a database server lets others wait for a lock.
it.runIf(process.env['TEST_DATABASE'] === 'postgres')(
  'home pages, searches, health checks and first steps of one user are read one at a time, and two of all users',
  async () => {
    const [one, ...others] = browsers as [Browser, ...Browser[]];
    const { promise: isReadable, resolve: unlock } = Promise.withResolvers<void>();
    const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>();
    const lock = app.ctx.db.transaction().execute(async (tx) => {
      await sql`lock table episodes in access exclusive mode`.execute(tx);
      locked();
      await isReadable;
    });
    await isLocked;
    const paths = ['episodes?q=a', 'health', 'first-steps', 'episodes?q=b', 'health'];
    const ofShow = paths.map((path) => `/app/api/podcasts/${podcast.id}/${path}`);
    const ask = (browser: Browser) => ['/app/api/home', ...ofShow].map((path) => browser.get(path));
    const responses = ask(one);
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
    unlock();
    await lock;
    const statuses = (await Promise.all(responses)).map(({ statusCode }) => statusCode);
    expect(statuses).toEqual(statuses.map(() => 200));
  },
);
