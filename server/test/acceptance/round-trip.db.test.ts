import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importFeed } from '../../src/domain/exchange/imports/index.ts';
import type { ExtraElement } from '../../src/domain/publishing/podcasts/index.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import { feedCases, readFeedCase } from '../feed-cases.ts';
import { makeUser } from '../make.ts';
import { noNetwork } from '../no-network.ts';
import { parseFeed } from '../parse-feed.ts';

/** An imported feed and our feed of the same show give the same import at another installation. */
let app: TestApp;
let elsewhere: TestApp;
beforeAll(async () => {
  app = await open('http://test.local');
  elsewhere = await open('http://elsewhere.local');
});
afterAll(async () => {
  await elsewhere[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
});

async function open(baseUrl: string): Promise<TestApp> {
  const opened = await createTestApp({ BASE_URL: baseUrl }, { outbound: noNetwork });
  // Later than all items, because feeds contain no future items.
  opened.clock.set(new Date('2030-01-01T00:00:00Z'));
  return opened;
}

interface Imported {
  readonly id: string;
  readonly slug: string;
}

/** Imports a feed for a new owner, without its audio. */
async function bringIn({ ctx }: TestApp, bytes: Buffer): Promise<Imported> {
  const owner = await makeUser(ctx);
  const { podcast } = await importFeed(ctx, { source: { bytes }, owner, copyAudio: false });
  if (podcast.id === null) throw new Error('nothing was imported');
  return { id: podcast.id, slug: podcast.slug };
}

/** Reads a feed and removes its lock. */
async function readUnlocked(name: string): Promise<Buffer> {
  const text = (await readFeedCase(name)).toString('latin1');
  return Buffer.from(text.replace(/yes(?=<\/podcast:locked>)/gi, 'no'), 'latin1');
}

/** Each feed is imported once, for both tests of it. */
const imported = new Map<string, Promise<Imported>>();
function bringInOnce(name: string): Promise<Imported> {
  const podcast = imported.get(name) ?? readUnlocked(name).then((bytes) => bringIn(app, bytes));
  imported.set(name, podcast);
  return podcast;
}

/** We generate this element for each trailer, so the imported one is not kept. */
function isTrailerOfOurs({ name, attributes }: ExtraElement): boolean {
  const isOurs = ([key, value]: readonly [string, string]) =>
    key === 'url' && value.startsWith('http://test.local/');
  return name === 'podcast:trailer' && attributes.some(isOurs);
}

/** A feed has them for its show and items. */
const isCard = ({ name, attributes }: ExtraElement) =>
  name === 'podcast:image' && attributes.some(([, value]) => value.includes('/cards/'));

/** GUID, title, date, and the length and type of the enclosure, as in the feed. */
async function listEpisodes(app: TestApp, podcastId: string): Promise<unknown[]> {
  const { rows } = await app.database.pool.query(
    `select coalesce(e.guid, e.id::text) as guid, e.title, e.public_from, e.season,
       e.episode_type, e.explicit, a.content_type, round(a.duration_ms / 1000.0) as duration_seconds
     from episodes e join audio_files a on a.episode_id = e.id
     where e.podcast_id = $1 and e.public_from is not null order by 1`,
    [podcastId],
  );
  return rows;
}

describe('a feed of this installation that is imported elsewhere', () => {
  // FEED-4
  it.each(feedCases)(
    'a feed of this installation that is imported elsewhere has the episodes of %s',
    async (name) => {
      const first = await bringInOnce(name);
      const feed = await app.request({ method: 'GET', url: `/feeds/${first.slug}.xml` });
      expect(feed.statusCode).toBe(200);
      const second = await bringIn(elsewhere, feed.rawPayload);
      const episodes = await listEpisodes(app, first.id);
      expect(await listEpisodes(elsewhere, second.id)).toEqual(episodes);
    },
  );

  // FEED-8
  it.each(feedCases)(
    'a feed of this installation that is imported elsewhere has every element of the namespace that %s has',
    async (name) => {
      const source = await parseFeed(await readUnlocked(name));
      const shown = await bringInOnce(name);
      const { rawPayload } = await app.request({ method: 'GET', url: `/feeds/${shown.slug}.xml` });
      const ours = await parseFeed(rawPayload);
      expect(ours.unread).toEqual([]);
      const passedOn = ours.podcast.extraElements.filter(
        (element) => !isTrailerOfOurs(element) && !isCard(element),
      );
      expect(passedOn).toEqual(source.podcast.extraElements);
      expect(ours.podcast.medium).toBe(source.podcast.medium ?? 'podcast');
      const expected = new Map(source.items.map((item) => [item.guid, item.extraElements]));
      for (const { guid, extraElements } of ours.items) {
        const own = extraElements.filter((element) => !isCard(element));
        if (expected.has(guid)) expect(own).toEqual(expected.get(guid));
      }
    },
  );
});
