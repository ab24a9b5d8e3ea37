import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TestItem, toneBytes, writeTestFeed } from '../../../../../test/hosts/podcast-host.ts';
import { type ImportFixture, openImportFixture } from '../../../../../test/import-fixture.ts';
import { useOneDatabase } from '../../../../../test/use-one-database.ts';
import type { FeedToImport } from '../index.ts';

const ours = 'http://test.local';

const databases = useOneDatabase();
let fixture: ImportFixture;
beforeEach(async () => {
  fixture = await openImportFixture(databases);
});
afterEach(() => fixture[Symbol.asyncDispose]());

const item = (number: number, audio?: string): TestItem => ({
  guid: `${number}`,
  title: `Episode ${number}`,
  date: `0${number} Jan 2020 10:00:00 GMT`,
  audio: audio ?? `${fixture.host.url}/${number}.mp3`,
});

function redirect(path: string, location: string) {
  fixture.host.respond(path, (_request, response) => response.writeHead(301, { location }).end());
}

const refusedAsOurs = { kind: 'invalid', details: [{ reason: 'feed_is_ours' }] };

async function expectRefusal(input: Partial<FeedToImport>) {
  await expect(fixture.run(input)).rejects.toMatchObject(refusedAsOurs);
  await expect(fixture.run({ ...input, dryRun: true })).rejects.toMatchObject(refusedAsOurs);
}

const sourcesOf = async (podcastId: string | null) =>
  (await fixture.episodesOf(podcastId)).map(({ source_url }) => source_url);

// IMPORT-2
describe('a feed of this installation', () => {
  it('a feed of this installation is not imported through its old address, which redirects here', async () => {
    const feed = writeTestFeed({ items: [item(2), item(1)] });
    fixture.host.serve('/feed.xml', feed);
    const { podcast } = await fixture.run({ copyAudio: false });
    const before = await sourcesOf(podcast.id);
    redirect('/feed.xml', `${ours}/feeds/${podcast.slug}.xml`);
    await expectRefusal({ copyAudio: false });
    await expectRefusal({ copyAudio: true });
    expect(await sourcesOf(podcast.id)).toEqual(before);
  });

  it.each([
    'http://test.local/feeds/show.xml',
    'https://TEST.local.:443/feeds/show.xml',
    'http://embed.local/feeds/show.xml',
  ])('a feed of this installation is not imported from %s', async (url) => {
    await using apart = await openImportFixture(undefined, { EMBED_URL: 'http://embed.local' });
    await expect(apart.run({ source: { url } })).rejects.toMatchObject(refusedAsOurs);
  });

  it('a feed of this installation is recognized by its self link', async () => {
    const channel = `<atom:link rel="self" href="${ours}/feeds/show.xml"/>`;
    const feed = writeTestFeed({ channel, items: [item(1)] });
    fixture.host.serve('/feed.xml', feed);
    await expectRefusal({});
    await expectRefusal({ source: { bytes: Buffer.from(feed) } });
  });

  it('a feed of this installation is recognized by its enclosures, also in a file', async () => {
    const own = `https://op3.dev/e/test.local/media/0199f3a0-0000-7000-8000-000000000000/f/a.mp3`;
    const bytes = Buffer.from(writeTestFeed({ items: [item(2, own), item(1)] }));
    await expectRefusal({ source: { bytes } });
  });

  it('a feed of this installation is recognized by its enclosures under another name of our host', async () => {
    fixture.host.serve('/feed.xml', writeTestFeed({ items: [item(1)] }));
    const { podcast } = await fixture.run({ copyAudio: false });
    const [episode] = await fixture.episodesOf(podcast.id);
    const audio = `https://former-name.example/media/${episode?.id}/f/episode-1.mp3`;
    await expectRefusal({
      source: { bytes: Buffer.from(writeTestFeed({ items: [item(1, audio)] })) },
    });
  });
});

// IMPORT-2
describe('audio of this installation in another feed', () => {
  const own = `${ours}/media/0199f3a0-0000-7000-8000-000000000000/f/one.mp3`;

  it('audio of this installation in another feed is not copied; the known audio is kept', async () => {
    fixture.host.serve('/feed.xml', writeTestFeed({ items: [item(3), item(2), item(1)] }));
    const { podcast } = await fixture.run({ copyAudio: false });
    const before = await sourcesOf(podcast.id);
    fixture.host.serve('/feed.xml', writeTestFeed({ items: [item(3), item(2), item(1, own)] }));
    const report = await fixture.run({ copyAudio: false });
    expect(report.warnings).toMatchObject([{ guid: '1', reason: 'audio_is_ours' }]);
    expect(await sourcesOf(podcast.id)).toEqual(before);
    expect(await fixture.run({ copyAudio: false })).toMatchObject({ updated: 0, unchanged: 3 });
  });

  it('audio of this installation in another feed is recognized behind a redirect from another host', async () => {
    fixture.host.serve('/1.mp3', await toneBytes(1));
    fixture.host.serve('/feed.xml', writeTestFeed({ items: [item(1)] }));
    const { podcast } = await fixture.run({ copyAudio: false });
    const before = await sourcesOf(podcast.id);
    // The old host redirects its old episodes and new ones.
    redirect('/1.mp3', own);
    redirect('/2.mp3', '/3.mp3');
    const [episode] = await fixture.episodesOf(podcast.id);
    redirect('/3.mp3', `https://former-name.example/media/${episode?.id}/f/one.mp3`);
    fixture.host.serve('/feed.xml', writeTestFeed({ items: [item(2), item(1)] }));
    for (const dryRun of [true, false]) {
      const report = await fixture.run({ copyAudio: false, dryRun });
      expect(report.warnings.map(({ guid, reason }) => [guid, reason]).sort()).toEqual([
        [null, 'items_without_audio'],
        ['1', 'audio_is_ours'],
        ['2', 'audio_is_ours'],
      ]);
    }
    expect(await sourcesOf(podcast.id)).toEqual(before);
  });

  it('audio of this installation in another feed is looked for only in the newest items of each host', async () => {
    const items = Array.from({ length: 40 }, (_, at) => item(40 - at));
    fixture.host.serve('/feed.xml', writeTestFeed({ items }));
    await fixture.run({ copyAudio: false });
    const requested = fixture.host.requested().filter((path) => path.endsWith('.mp3'));
    expect(requested.sort()).toEqual(['/38.mp3', '/39.mp3', '/40.mp3']);
  });

  it('audio of this installation in another feed is not copied if its address redirects to us', async () => {
    fixture.host.serve('/1.mp3', await toneBytes(1));
    redirect('/2.mp3', own);
    fixture.host.serve('/feed.xml', writeTestFeed({ items: [item(2), item(1)] }));
    const report = await fixture.run();
    expect(report.problems).toMatchObject([{ guid: '2', reason: 'audio_is_ours' }]);
    expect(report.audio.files).toBe(1);
  });
});

describe('a feed with a new address', () => {
  it('a feed whose new address redirects to us is read at its old one', async () => {
    redirect('/new.xml', `${ours}/feeds/show.xml`);
    const channel = `<itunes:new-feed-url>${fixture.host.url}/new.xml</itunes:new-feed-url>`;
    fixture.host.serve('/feed.xml', writeTestFeed({ channel, items: [item(1)] }));
    const report = await fixture.run({ copyAudio: false });
    expect(report).toMatchObject({ created: 1, warnings: [{ reason: 'feed_moved' }] });
  });
});
