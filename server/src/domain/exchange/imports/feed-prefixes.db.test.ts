import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeTestFeed } from '../../../../test/hosts/podcast-host.ts';
import { type ImportFixture, openImportFixture } from '../../../../test/import-fixture.ts';
import { useOneDatabase } from '../../../../test/use-one-database.ts';
import { measurementServices, putBehindPrefixes } from '../../../lib/enclosure-prefixes.ts';
import { fingerprintEnclosure } from '../../foundation/provenance/index.ts';
import { findPublicPodcast, type PublicPodcast } from '../../public/catalogue/index.ts';
import { streamFeed } from '../../public/feeds/index.ts';
import { attachTone } from '../../publishing/audio/index.ts';
import { getPodcast, updatePodcast } from '../../publishing/podcasts/index.ts';

const databases = useOneDatabase();
let fixture: ImportFixture;
beforeEach(async () => {
  fixture = await openImportFixture(databases);
});
afterEach(() => fixture[Symbol.asyncDispose]());

const op3 = 'https://op3.dev/e,pg=0197a3c4-7e31-7a90-b2c4-d5e6f7a8b9c0/';
const podtrac = 'https://dts.podtrac.com/redirect.mp3/';
const audioOf = (number: number) => `https://cdn.example/${number}.mp3`;

/** Items without GUIDs are recognized by their audio. */
function serve(prefixesOf: (number: number) => readonly string[], hasGuids = true) {
  const items = [1, 2, 3, 4].map((number) => ({
    ...(hasGuids && { guid: `${number}` }),
    title: `Episode ${number}`,
    date: `0${number} Jan 2020 10:00:00 GMT`,
    audio: putBehindPrefixes(audioOf(number), prefixesOf(number)),
  }));
  const feed = writeTestFeed({ title: 'Night Signals', channel: '', items });
  fixture.host.serve('/feed.xml', feed, 'application/rss+xml');
}

const run = (overwrite = false) => fixture.run({ copyAudio: false, overwrite });
const prefixesOf = async (podcastId: string | null) =>
  (await getPodcast(fixture.test.ctx, podcastId ?? '')).enclosurePrefixes;

async function enclosuresOf(podcastId: string | null): Promise<string[]> {
  const { ctx } = fixture.test;
  const show = (await findPublicPodcast(ctx, podcastId ?? '')) as PublicPodcast;
  let xml = '';
  for await (const piece of streamFeed(ctx, show)) xml += piece.toString();
  return [...xml.matchAll(/<enclosure url="([^"]+)"/g)].map(([, url]) => url ?? '');
}

const fingerprints = async () => {
  const { rows } = await fixture.test.database.pool.query(
    'select source_enclosure_sha256 as hash from episodes order by title',
  );
  return rows.map(({ hash }) => hash);
};

describe('an imported feed with measurement prefixes (FEED-17)', () => {
  it('prefixes of an imported feed are kept, and its fingerprints are those without them', async () => {
    serve(() => [op3, podtrac]);
    const { podcast, warnings } = await run();
    expect(warnings.map(({ reason }) => reason)).toContain('prefixes_kept');
    expect(await prefixesOf(podcast.id)).toEqual([op3, podtrac]);
    expect(await fingerprints()).toEqual(
      [1, 2, 3, 4].map((number) => fingerprintEnclosure(audioOf(number))),
    );
  });

  it('prefixes that most items have are kept, and none that few have', async () => {
    serve((number) => (number === 1 ? [] : [podtrac]));
    const { podcast } = await run();
    expect(await prefixesOf(podcast.id)).toEqual([podtrac]);
    serve((number) => (number === 1 ? [podtrac] : []));
    await run();
    expect(await prefixesOf(podcast.id)).toEqual([]);
  });

  it('prefixes that a source adds later change no episode, with GUIDs or without', async () => {
    for (const hasGuids of [true, false]) {
      serve(() => [], hasGuids);
      await run();
      serve(() => [op3], hasGuids);
      const report = await run();
      expect(report).toMatchObject({ created: 0, podcast: { outcome: 'updated' } });
      expect(await prefixesOf(report.podcast.id)).toEqual([op3]);
      serve(() => [], hasGuids);
      await run();
    }
  });

  it('prefixes that were changed here stay, unless the source is to win', async () => {
    serve(() => [op3]);
    const { podcast } = await run();
    await updatePodcast(fixture.test.ctx, podcast.id ?? '', { enclosurePrefixes: [] });
    expect((await run()).conflicts).toMatchObject([{ field: 'enclosure_prefixes' }]);
    expect(await prefixesOf(podcast.id)).toEqual([]);
    await run(true);
    expect(await prefixesOf(podcast.id)).toEqual([op3]);
  });

  it('audio at its old host is not behind prefixes, which its URL has there, until it is copied', async () => {
    serve(() => [op3]);
    const { podcast } = await run();
    const before = await enclosuresOf(podcast.id);
    expect(before.map((url) => url.startsWith('http://test.local/media/'))).toEqual([
      ...[true, true, true, true],
    ]);
    const [episode] = await fixture.episodesOf(podcast.id);
    await attachTone(fixture.test.ctx, episode?.id ?? '', 1);
    const after = await enclosuresOf(podcast.id);
    expect(after.filter((url) => url.startsWith(`${op3}http://test.local/media/`))).toHaveLength(1);
  });

  it('a feed of ours with prefixes is recognized as ours', async () => {
    const all = measurementServices.map(({ prefix }) => prefix);
    serve(() => all);
    const items = [1, 2].map((number) => ({
      guid: `${number}`,
      title: `Episode ${number}`,
      date: `0${number} Jan 2020 10:00:00 GMT`,
      audio: putBehindPrefixes(`http://test.local/media/${number}/f/a.mp3`, all),
    }));
    const feed = writeTestFeed({ title: 'Ours', channel: '', items });
    fixture.host.serve('/feed.xml', feed, 'application/rss+xml');
    await expect(run()).rejects.toMatchObject({ details: [{ reason: 'feed_is_ours' }] });
  });
});
