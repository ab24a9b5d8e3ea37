import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { insertEpisodes } from '../../../../../../bench/installation/fill-show.sql.ts';
import { createTestContext, type TestContext } from '../../../../../test/create-test-context.ts';
import { makePodcast, makeUser } from '../../../../../test/make.ts';
import { patience } from '../../../../../test/patience.ts';
import { useOneDatabase } from '../../../../../test/use-one-database.ts';
import { FeedBodies } from './feed-bodies.ts';

const databases = useOneDatabase();
let test: TestContext;
beforeEach(async () => {
  test = await createTestContext({}, { databases });
});
afterEach(() => test[Symbol.asyncDispose]());

/** A show whose feed has some 25 MB. */
async function makeLarge(owner?: Awaited<ReturnType<typeof makeUser>>) {
  const podcast = await makePodcast(test.ctx, owner === undefined ? {} : { owner });
  const { id: podcastId, accountId } = podcast;
  test.clock.set(new Date());
  const notes = [`<p>${'What was heard. '.repeat(15_000)}</p>`];
  await insertEpisodes(test.ctx.db, { podcastId, from: 1, to: 90, count: 90, notes });
  return { podcastId, accountId, digest: Buffer.alloc(32) };
}

it('a feed is written once for all that use it at the same time, and for the next ones', async () => {
  const { id: podcastId, accountId } = await makePodcast(test.ctx);
  const bodies = new FeedBodies();
  const of = { podcastId, accountId, digest: Buffer.alloc(32) };
  const use = () => bodies.use(test.ctx, of, async (body) => body?.pieces);
  const [one, two] = await Promise.all([use(), use()]);
  expect(one).toBeDefined();
  expect(two).toBe(one);
  expect(await use()).toBe(one);
  const later = { podcastId, accountId, digest: Buffer.alloc(32, 1) };
  expect(await bodies.use(test.ctx, later, async (body) => body?.pieces)).not.toBe(one);
});

it('large feeds wait until others are delivered', async () => {
  const bodies = new FeedBodies();
  const last = await makeLarge();
  const shows = [];
  for (let n = 0; n < 4; n += 1) shows.push(await makeLarge());
  const ends: (() => void)[] = [];
  const uses = [...shows, last].map((show) =>
    bodies.use(test.ctx, show, async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.push(resolve);
      await promise;
    }),
  );
  await vi.waitUntil(() => ends.length === 4, patience);
  // How long the fifth would take if it did not wait.
  await new FeedBodies().use(test.ctx, last, async () => {});
  expect(ends).toHaveLength(4);
  ends[0]?.();
  await vi.waitUntil(() => ends.length === 5, patience);
  for (const end of ends) end();
  await Promise.all(uses);
}, 120_000);

it('an account whose large feed is being delivered waits with its next one, and nobody else does', async () => {
  const bodies = new FeedBodies();
  const owner = await makeUser(test.ctx);
  const [first, second] = [await makeLarge(owner), await makeLarge(owner)];
  const { id: podcastId, accountId } = await makePodcast(test.ctx);
  const other = { podcastId, accountId, digest: Buffer.alloc(32) };
  const { promise: isRead, resolve: read } = Promise.withResolvers<void>();
  const begun: string[] = [];
  const { promise: isBegun, resolve: begin } = Promise.withResolvers<void>();
  const use = (show: typeof first, name: string) =>
    bodies.use(test.ctx, show, async () => {
      begun.push(name);
      begin();
      if (name === 'first') await isRead;
    });
  const uses = [use(first, 'first')];
  await isBegun;
  uses.push(use(second, 'second'));
  await use(other, 'other');
  expect(begun).toEqual(['first', 'other']);
  read();
  await Promise.all(uses);
  expect(begun).toEqual(['first', 'other', 'second']);
}, 120_000);
