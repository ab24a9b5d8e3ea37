import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertEpisodes } from '../../../../../bench/installation/fill-show.sql.ts';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast } from '../../../../test/make.ts';
import { formatRfc2822 } from '../../../lib/time.ts';
import { attachTone } from '../../publishing/audio/index.ts';
import { publishEpisode } from '../../publishing/episodes/index.ts';
import { pausePodcast, updatePodcast } from '../../publishing/podcasts/index.ts';
import { setChapters } from '../../publishing/transcripts/index.ts';
import { type EpisodePosition, findPublicPodcast, type PublicPodcast } from '../catalogue/index.ts';
import { buildFeed, streamFeed } from './index.ts';

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

function urlAfter(position: EpisodePosition | undefined): string {
  return `https://feeds.example/${position?.id ?? ''}`;
}
const guids = (xml: string) => [...xml.matchAll(/<guid[^>]*>([^<]+)</g)].map(([, guid]) => guid);
const firstPage = { after: undefined, urlAfter };
const findLong = async () => (await findPublicPodcast(test.ctx, 'long')) as PublicPodcast;

it('a long feed is read and written in parts, and other tasks run in between', async () => {
  let turns = 0;
  let done = false;
  const take = () => {
    turns += 1;
    if (!done) setImmediate(take);
  };
  setImmediate(take);
  const pieces = await buildFeed(test.ctx, await findLong(), firstPage);
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
    Buffer.concat(await buildFeed(test.ctx, await findLong(), firstPage)).toString(),
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
  const xml = Buffer.concat(await buildFeed({ ...test.ctx, db }, show, firstPage)).toString();
  await update;
  expect(update).toBeDefined();
  expect(guids(xml)).toEqual(before);
});

it('a feed was built when its last scheduled episode came out, although nothing was written then', async () => {
  const podcast = await makePodcast(test.ctx, { slug: 'scheduled' });
  const scheduledFor = new Date(Math.ceil(test.clock.now().getTime() / 1000) * 1000 + 3_600_000);
  const scheduled = { status: 'scheduled', scheduledFor } as const;
  const episode = await makeEpisode(test.ctx, podcast, scheduled);
  await attachTone(test.ctx, episode.id, 1);
  test.clock.set(new Date(scheduledFor.getTime() + 60_000));
  const show = (await findPublicPodcast(test.ctx, 'scheduled')) as PublicPodcast;
  const xml = Buffer.concat(await buildFeed(test.ctx, show, firstPage)).toString();
  expect(xml).toContain(`<lastBuildDate>${formatRfc2822(scheduledFor)}</lastBuildDate>`);
});

// STATE-1
it('the feed of a paused show has no episode that was published during the pause, whatever its date', async () => {
  const podcast = await makePodcast(test.ctx, { slug: 'paused' });
  const [before, during] = [
    await makeEpisode(test.ctx, podcast),
    await makeEpisode(test.ctx, podcast, { status: 'draft' }),
  ];
  for (const { id } of [before, during]) await attachTone(test.ctx, id, 1);
  test.clock.advance(1_000);
  await pausePodcast(test.ctx, podcast.id);
  test.clock.advance(1_000);
  await publishEpisode(test.ctx, during.id, { publishedAt: new Date('2020-01-02T03:04:05Z') });
  const show = (await findPublicPodcast(test.ctx, 'paused')) as PublicPodcast;
  const xml = Buffer.concat(await buildFeed(test.ctx, show, firstPage)).toString();
  expect(guids(xml)).toEqual([before.guid]);
});

describe('a feed of items with long texts', () => {
  const items = 60;
  let show: PublicPodcast;

  beforeAll(async () => {
    const { id } = await makePodcast(test.ctx, { slug: 'heavy' });
    const notes = [`<p>${'What was heard. '.repeat(20_000)}</p>`];
    const batch = { podcastId: id, from: 1, to: items, count: items, notes };
    await insertEpisodes(test.ctx.db, batch);
    // As many people, with links as long, as a roster may have: each item without credits names them.
    await sql`
      insert into people (id, podcast_id, name, link_url, position, roster, created_at)
      select gen_random_uuid(), ${id}::uuid, 'Person ' || n,
        'https://people.example/' || repeat('&', 1900), n, true, now()
      from generate_series(1, 100) n`.execute(test.ctx.db);
    show = (await findPublicPodcast(test.ctx, id)) as PublicPodcast;
  });

  /** The pieces of each page, as its reader finds them by the links to the next one. */
  async function readPages(): Promise<Buffer[][]> {
    const pages: Buffer[][] = [];
    let after: EpisodePosition | undefined;
    do {
      const positions: EpisodePosition[] = [];
      const keep = (position: EpisodePosition | undefined) => {
        if (position !== undefined) positions.push(position);
        return urlAfter(position);
      };
      pages.push([...(await buildFeed(test.ctx, show, { after, urlAfter: keep }))]);
      const next = positions.filter(({ id }) => id !== after?.id).at(-1);
      after = next;
    } while (after !== undefined);
    return pages;
  }

  it('a feed of long texts is divided into pages of some 20 MB, which have each item once', async () => {
    const pages = await readPages();
    expect(pages.length).toBeGreaterThan(3);
    const xmls = pages.map((pieces) => Buffer.concat(pieces).toString());
    const all = xmls.flatMap(guids);
    expect(all).toHaveLength(items);
    expect(new Set(all).size).toBe(items);
    const largest = Math.max(...pages.flat().map(({ length }) => length));
    expect(largest).toBeLessThan(2_500_000);
    for (const [at, xml] of xmls.entries()) {
      expect(xml.length).toBeLessThan(20 * 1024 * 1024 + 2 * largest);
      expect(xml).toContain('<atom:link rel="first" href="https://feeds.example/"');
      expect(xml.includes('rel="next"')).toBe(at < pages.length - 1);
    }
  });

  it('a feed of long texts is exported as one, of which a part is in memory', async () => {
    const all: unknown[] = [];
    let last = '';
    for await (const piece of streamFeed(test.ctx, show)) {
      expect(piece.length).toBeLessThan(2_500_000);
      last = piece.toString();
      all.push(...guids(last));
    }
    expect(all).toHaveLength(items);
    expect(last.endsWith('</channel>\n</rss>\n')).toBe(true);
  });
});

// FEED-11
it('an item has the first 100 chapters that have a title and are in the list', async () => {
  const podcast = await makePodcast(test.ctx, { slug: 'divided' });
  const publishedAt = new Date(test.clock.now().getTime() - 1_000);
  const episode = await makeEpisode(test.ctx, podcast, { status: 'published', publishedAt });
  await attachTone(test.ctx, episode.id, 3);
  const chapters = Array.from({ length: 120 }, (_, n) => ({ startMs: n * 20, title: `C${n}` }));
  await setChapters(test.ctx, episode.id, [
    ...chapters,
    { startMs: 5, title: 'Hidden', hidden: true },
    { startMs: 7, imageUrl: 'https://a.example/1.png' },
  ]);
  const show = (await findPublicPodcast(test.ctx, 'divided')) as PublicPodcast;
  const xml = Buffer.concat(await buildFeed(test.ctx, show, firstPage)).toString();
  const titles = [...xml.matchAll(/<psc:chapter start="[^"]+" title="([^"]+)"/g)];
  expect(titles.map(([, title]) => title)).toEqual(
    chapters.slice(0, 100).map(({ title }) => title),
  );
});

// FEED-15
it('a feed names its own URL as the new one while its show confirms it, unless the show moves away', async () => {
  const { ctx } = test;
  const { id } = await makePodcast(ctx, { slug: 'arrived' });
  const newUrl = async () => {
    const show = (await findPublicPodcast(ctx, id)) as PublicPodcast;
    const xml = Buffer.concat(await buildFeed(ctx, show, firstPage)).toString();
    return /<itunes:new-feed-url>([^<]+)</.exec(xml)?.[1];
  };
  expect(await newUrl()).toBeUndefined();
  await updatePodcast(ctx, id, { confirmMove: true });
  expect(await newUrl()).toBe('http://test.local/feeds/arrived.xml');
  await updatePodcast(ctx, id, { newFeedUrl: 'https://elsewhere.example/feed.xml' });
  expect(await newUrl()).toBe('https://elsewhere.example/feed.xml');
  await updatePodcast(ctx, id, { newFeedUrl: null });
  expect(await newUrl()).toBe('http://test.local/feeds/arrived.xml');
});
