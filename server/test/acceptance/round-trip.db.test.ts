import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DomainError } from '../../src/domain/errors.ts';
import { importFeed } from '../../src/domain/imports/index.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import { makeUser } from '../make.ts';
import { noNetwork } from '../no-network.ts';
import { readRealFeed, realFeeds } from '../real-feeds.ts';

/** What comes in as a feed goes out as one that brings in the same. */
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({}, { outbound: noNetwork });
  // After the youngest item of them all: what is to come is in no feed.
  app.clock.set(new Date('2030-01-01T00:00:00Z'));
});
afterAll(() => app[Symbol.asyncDispose]());

/** A podcast of its own owner, without its audio; undefined for a feed that its owner locked. */
async function bringIn(bytes: Buffer): Promise<{ id: string; slug: string } | undefined> {
  const owner = await makeUser(app.ctx);
  try {
    const { podcast } = await importFeed(app.ctx, { source: { bytes }, owner, copyAudio: false });
    if (podcast.id === null) throw new Error('nothing was imported');
    return { id: podcast.id, slug: podcast.slug };
  } catch (error) {
    const locked = error instanceof DomainError && error.details[0]?.reason === 'feed_locked';
    if (locked) return undefined;
    throw error;
  }
}

/** As the feed tells them: GUID, title, date, length and type of the enclosure. */
async function listEpisodes(podcastId: string): Promise<unknown[]> {
  const { rows } = await app.database.pool.query(
    `select coalesce(e.guid, e.id::text) as guid, e.title, e.public_from, e.season,
       e.episode_type, e.explicit, a.content_type, round(a.duration_ms / 1000.0) as duration_seconds
     from episodes e join audio_files a on a.episode_id = e.id
     where e.podcast_id = $1 and e.public_from is not null order by 1`,
    [podcastId],
  );
  return rows;
}

describe.skipIf(realFeeds.length === 0)('a feed of ours, imported again', () => {
  it.each(realFeeds)('has the episodes of %s', async (name) => {
    const first = await bringIn(await readRealFeed(name));
    if (first === undefined) return;
    const feed = await app.request({ method: 'GET', url: `/feeds/${first.slug}.xml` });
    expect(feed.statusCode).toBe(200);
    const second = await bringIn(feed.rawPayload);
    const episodes = await listEpisodes(first.id);
    expect(await listEpisodes(second?.id ?? '')).toEqual(episodes);
  });
});
