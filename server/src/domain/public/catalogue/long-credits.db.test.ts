import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertEpisodes } from '../../../../../bench/installation/fill-show.sql.ts';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makePodcast } from '../../../../test/make.ts';
import type { Context } from '../../foundation/context.ts';
import {
  findEpisodeForPreview,
  findLatestPlayable,
  findPublicPodcast,
  getEpisodeForPage,
  getLatestEpisode,
  getPublicEpisode,
  listEpisodesById,
  listFeedEpisodes,
  listPublicEpisodes,
  type PublicPodcast,
} from './index.ts';

const episodes = 51;
const credited = 200;
const bioBytes = 30_000;
const linkBytes = 1_000;

let test: TestContext;
let podcastId: string;
let show: PublicPodcast;
let ids: string[];

beforeAll(async () => {
  test = await createTestContext();
  test.clock.advance(Date.now() - test.clock.now().getTime());
  podcastId = (await makePodcast(test.ctx, { slug: 'crowded' })).id;
  const notes = ['<p>What was heard.</p>'];
  const batch = { podcastId, from: 1, to: episodes, count: episodes, notes };
  await insertEpisodes(test.ctx.db, batch);
  await sql`
    insert into people (id, podcast_id, name, bio, link_url, position, roster, created_at)
    select gen_random_uuid(), ${podcastId}::uuid, 'Person ' || n || repeat(' of many', 10), repeat('語', ${bioBytes / 3}::int),
      'https://people.example/' || repeat('a', ${linkBytes}::int), n, true, now()
    from generate_series(1, ${credited}::int) n`.execute(test.ctx.db);
  await sql`
    insert into episode_credits (id, episode_id, person_id, role, "group", position)
    select gen_random_uuid(), e.id, person.id, 'host', 'cast', person.position
    from episodes e join people person using (podcast_id)
    where podcast_id = ${podcastId}`.execute(test.ctx.db);
  show = (await findPublicPodcast(test.ctx, podcastId)) as PublicPodcast;
  ids = (await listPublicEpisodes(test.ctx, show, { limit: 60 })).items.map(({ id }) => id);
});
afterAll(() => test[Symbol.asyncDispose]());

/** Returns how many bytes of rows the database sends for `work`. */
async function measure(work: (ctx: Context) => Promise<unknown>): Promise<number> {
  let bytes = 0;
  const db = test.ctx.db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      bytes += Buffer.byteLength(JSON.stringify(result.rows));
      return result;
    },
  });
  await work({ ...test.ctx, db });
  return bytes;
}

/** Of a credit: name, role, and what is between them. */
const plainBytes = 220;
const startBytes = 960 * 3;

describe('a show with long bios', () => {
  it.each<[string, number, (ctx: Context) => Promise<unknown>]>([
    [
      'no bio or link for a list',
      episodes * credited * plainBytes,
      (ctx) => listPublicEpisodes(ctx, show, { limit: 50 }),
    ],
    [
      'no bio or link for a filtered list',
      episodes * credited * plainBytes,
      (ctx) => listPublicEpisodes(ctx, show, { limit: 50, types: ['full', 'bonus'] }),
    ],
    [
      'no bio or link for sites',
      episodes * credited * plainBytes,
      (ctx) => listEpisodesById(ctx, show, ids, test.clock.now()),
    ],
    [
      'no bio for a part of the feed, which ends after 1 MB',
      1_000_000 + credited * (plainBytes + linkBytes),
      (ctx) => listFeedEpisodes(ctx, show, { after: undefined, limit: 60 }),
    ],
    [
      'no bio or link for an episode',
      credited * plainBytes * 2,
      (ctx) => getPublicEpisode(ctx, show, 'episode-1'),
    ],
    [
      'no bio or link for the newest',
      credited * plainBytes * 2,
      (ctx) => getLatestEpisode(ctx, show),
    ],
    [
      'no bio or link for a player',
      credited * plainBytes * 2,
      (ctx) => findLatestPlayable(ctx, show),
    ],
    [
      'the starts of bios for a page',
      credited * (plainBytes * 2 + linkBytes + startBytes),
      (ctx) => getEpisodeForPage(ctx, show, 'episode-1'),
    ],
    [
      'the starts of bios for a preview',
      credited * (plainBytes * 2 + linkBytes + startBytes),
      (ctx) => findEpisodeForPreview(ctx, show, ids[0] ?? ''),
    ],
    [
      'the starts of bios for the roster',
      credited * (plainBytes * 2 + linkBytes + startBytes),
      (ctx) => findPublicPodcast(ctx, podcastId),
    ],
  ])('%s', async (_, mostBytes, work) => {
    const bytes = await measure(work);
    expect(bytes).toBeLessThan(mostBytes);
    expect(bytes).toBeGreaterThan(credited * 20);
  });
});

describe('a list waits before it reads', () => {
  const list = async () => {
    const waits: number[] = [];
    const { items } = await listPublicEpisodes(test.ctx, show, { limit: 50 }, async (bytes) => {
      waits.push(bytes);
    });
    return { waits, items };
  };

  it('many credits', async () => {
    const { waits, items } = await list();
    expect(waits).toHaveLength(1);
    expect(waits[0]).toBeGreaterThan(episodes * credited * 20);
    expect(items[0]?.people).toHaveLength(credited);
  });

  it('the roster of many episodes without credits', async () => {
    await sql`delete from episode_credits`.execute(test.ctx.db);
    const { waits, items } = await list();
    expect(waits).toHaveLength(1);
    expect(waits[0]).toBeGreaterThan(episodes * credited * 20);
    expect(items[0]?.people).toBe(show.roster);
  });
});
