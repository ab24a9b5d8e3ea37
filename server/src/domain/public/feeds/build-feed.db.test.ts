import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertEpisodes } from '../../../../../bench/installation/fill-show.sql.ts';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makePodcast } from '../../../../test/make.ts';
import { findPublicPodcast, type PublicPodcast } from '../catalogue/index.ts';
import { buildFeed } from './index.ts';

const count = 450;
let test: TestContext;
let podcastId: string;

beforeAll(async () => {
  test = await createTestContext();
  test.clock.advance(Date.now() - test.clock.now().getTime());
  podcastId = (await makePodcast(test.ctx, { slug: 'long' })).id;
  const notes = ['<p>What was heard.</p>'];
  await insertEpisodes(test.ctx.db, { podcastId, from: 1, to: count, count, notes });
});
afterAll(() => test[Symbol.asyncDispose]());

const guids = (xml: string) => [...xml.matchAll(/<guid[^>]*>([^<]+)</g)].map(([, guid]) => guid);
const findLong = async () => (await findPublicPodcast(test.ctx, 'long')) as PublicPodcast;

it('a long feed is read and written in parts, and other tasks run in between', async () => {
  let turns = 0;
  let done = false;
  const take = () => {
    turns += 1;
    if (!done) setImmediate(take);
  };
  setImmediate(take);
  const pieces = (await buildFeed(test.ctx, await findLong(), 1)) ?? [];
  done = true;
  const xml = Buffer.concat(pieces).toString();
  expect(new Set(guids(xml)).size).toBe(count);
  expect(guids(xml)).toHaveLength(count);
  expect(xml.startsWith('<?xml')).toBe(true);
  expect(xml.endsWith('</channel>\n</rss>\n')).toBe(true);
  // Each part takes a few milliseconds, and other tasks can run between parts.
  const largest = Math.max(...pieces.map((piece) => piece.length));
  expect(largest).toBeLessThan(xml.length / 4);
  expect(turns).toBeGreaterThanOrEqual(pieces.length - 2);
});

it('a publication meanwhile does not shift other episodes', async () => {
  const before = guids(
    Buffer.concat((await buildFeed(test.ctx, await findLong(), 1)) ?? []).toString(),
  );
  const show = await findLong();
  let queries = 0;
  let update: Promise<unknown> | undefined;
  const db = test.ctx.db.withPlugin({
    transformQuery({ node }) {
      queries += 1;
      return node;
    },
    async transformResult({ result }) {
      if (queries === 1) {
        queries += 1;
        // Not awaited: the embedded database has one session, which this result set still uses.
        update = sql`update episodes set published_at = published_at + interval '90 minutes'
          where podcast_id = ${podcastId} and episode_number = ${count}`.execute(test.ctx.db);
      }
      return result;
    },
  });
  test.clock.advance(2 * 60 * 60 * 1000);
  const xml = Buffer.concat((await buildFeed({ ...test.ctx, db }, show, 1)) ?? []).toString();
  await update;
  expect(update).toBeDefined();
  expect(guids(xml)).toEqual(before);
});

it('a page past the end is found by counting, and reads no episodes', async () => {
  const show = await findLong();
  const statements: string[] = [];
  const db = test.ctx.db.withPlugin({
    transformQuery({ node }) {
      statements.push(node.kind);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  expect(await buildFeed({ ...test.ctx, db }, show, 2)).toBeUndefined();
  expect(await buildFeed({ ...test.ctx, db }, show, 1_000_000)).toBeUndefined();
  // Lists of episodes are raw SQL.
  expect(statements).toEqual(['SelectQueryNode', 'SelectQueryNode']);
});
