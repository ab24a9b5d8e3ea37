import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TestItem, toneBytes, writeTestFeed } from '../../../../test/hosts/podcast-host.ts';
import { type ImportFixture, openImportFixture } from '../../../../test/import-fixture.ts';
import { useOneDatabase } from '../../../../test/use-one-database.ts';
import { findPublicPodcast, getPublicEpisode } from '../../public/catalogue/index.ts';
import { getEpisode, publishEpisode, unpublishEpisode } from '../../publishing/episodes/index.ts';

const databases = useOneDatabase();
let fixture: ImportFixture;
beforeEach(async () => {
  fixture = await openImportFixture(databases);
});
afterEach(() => fixture[Symbol.asyncDispose]());

function serve(items: readonly TestItem[], channel = '') {
  fixture.host.serve('/feed.xml', writeTestFeed({ channel, items }), 'application/rss+xml');
}

/** Of some other host. */
const audio = (name: string) => `https://cdn.example/${name}.mp3`;
const date = (day: number) => `0${day} Jan 2020 10:00:00 GMT`;
const titlesOf = async (podcastId: string | null) =>
  (await fixture.episodesOf(podcastId)).map(({ title }) => title);

describe('one bad item', () => {
  // IMPORT-6
  it('one bad item does not stop the others, and is reported with GUID and reason', async () => {
    serve([
      { guid: 'good-2', title: 'Good, too', date: date(4), audio: audio('4') },
      { guid: 'good-1', title: 'The same GUID', date: date(3), audio: audio('1') },
      { guid: 'bad-date', title: 'No date', date: 'the day before yesterday', audio: audio('2') },
      { guid: 'nothing' },
      { guid: 'good-1', title: 'Good', date: date(1), audio: audio('1') },
    ]);
    const report = await fixture.run({ copyAudio: false });
    expect(report).toMatchObject({ created: 3, updated: 0, unchanged: 0, failed: 2 });
    expect(report.problems.map(({ guid, reason }) => [guid, reason])).toEqual([
      ['nothing', 'empty'],
      ['good-1', 'duplicate_guid'],
    ]);
    expect(report.warnings.map(({ guid, reason }) => [guid, reason])).toEqual([
      ['bad-date', 'bad_date'],
      [null, 'no_date'],
    ]);
    expect(await titlesOf(report.podcast.id)).toEqual(['No date', 'The same GUID', 'Good, too']);
    expect(await fixture.run({ copyAudio: false })).toMatchObject({
      created: 0,
      unchanged: 3,
      failed: 2,
    });
  });

  it('an item that the database refuses does not stop the others', async () => {
    serve([
      { guid: '2', title: 'Good', audio: audio('2') },
      { guid: '1', title: 'Bad', audio: audio('1') },
    ]);
    await fixture.rows(`create function refuse_bad() returns trigger language plpgsql as
      $$ begin if new.title = 'Bad' then raise 'no such title'; end if; return new; end $$`);
    await fixture.rows(`create trigger refuse_bad before insert on episodes
      for each row execute function refuse_bad()`);
    const report = await fixture.run({ copyAudio: false });
    expect(report).toMatchObject({ created: 1, failed: 1 });
    expect(report.problems).toMatchObject([{ guid: '1', title: 'Bad', reason: 'internal_error' }]);
    await fixture.rows('drop trigger refuse_bad on episodes');
    expect(await fixture.run({ copyAudio: false })).toMatchObject({
      created: 1,
      unchanged: 1,
      failed: 0,
    });
  });
});

describe('audio that cannot be downloaded', () => {
  const items = () => [
    { guid: '2', title: 'Two', date: date(2), audio: `${fixture.host.url}/two.mp3` },
    { guid: '1', title: 'One', date: date(1), audio: `${fixture.host.url}/one.mp3` },
  ];

  // STATE-9
  it('delays its episode until a later import; its date is kept', async () => {
    serve(items());
    fixture.host.serve('/two.mp3', await toneBytes(1), 'audio/mpeg');
    const report = await fixture.run();
    expect(report).toMatchObject({ created: 1, failed: 1, audio: { files: 1 } });
    expect(report.problems).toEqual([
      { guid: '1', title: 'One', reason: 'http_status', message: expect.stringMatching(/404/) },
    ]);
    expect(await fixture.episodesOf(report.podcast.id)).toMatchObject([
      { title: 'One', status: 'pending_confirmation', blob_key: null },
      { title: 'Two', status: 'published' },
    ]);
    expect(await fixture.run()).toMatchObject({ unchanged: 1, failed: 1 });
    fixture.host.serve('/one.mp3', await toneBytes(2), 'audio/mpeg');
    expect(await fixture.run()).toMatchObject({ updated: 1, unchanged: 1, failed: 0 });
    const [one] = await fixture.episodesOf(report.podcast.id);
    expect(one).toMatchObject({
      status: 'published',
      published_at: new Date('2020-01-01T10:00:00Z'),
      blob_key: expect.any(String),
    });
  });

  // KEYED-10
  it('leaves the date empty; publishing by hand sets the date of the feed', async () => {
    serve(items());
    const { podcast } = await fixture.run();
    const { ctx } = fixture.test;
    const [one, two] = await fixture.episodesOf(podcast.id);
    expect([one, two]).toMatchObject([{ published_at: null }, { published_at: null }]);
    expect((await getEpisode(ctx, one!.id)).publishedAt).toBeNull();
    await publishEpisode(ctx, one!.id);
    await unpublishEpisode(ctx, two!.id);
    expect((await getEpisode(ctx, two!.id)).publishedAt).toBeNull();
    await publishEpisode(ctx, two!.id);
    expect(await fixture.episodesOf(podcast.id)).toMatchObject([
      { published_at: new Date('2020-01-01T10:00:00Z') },
      { published_at: new Date('2020-01-02T10:00:00Z') },
    ]);
  });

  it('audio that cannot be downloaded does not change an episode that its editors have published or archived', async () => {
    serve(items());
    const { podcast } = await fixture.run();
    const [one, two] = await fixture.episodesOf(podcast.id);
    await unpublishEpisode(fixture.test.ctx, one!.id);
    fixture.host.serve('/one.mp3', await toneBytes(1), 'audio/mpeg');
    fixture.host.serve('/two.mp3', await toneBytes(1), 'audio/mpeg');
    expect(await fixture.run()).toMatchObject({ updated: 2, failed: 0, audio: { files: 2 } });
    expect((await getEpisode(fixture.test.ctx, one!.id)).status).toBe('draft');
    expect((await getEpisode(fixture.test.ctx, two!.id)).status).toBe('published');
  });

  it('a file that is not audio is treated like audio that cannot be downloaded', async () => {
    serve(items());
    fixture.host.serve('/one.mp3', '<html>Sorry</html>', 'audio/mpeg');
    fixture.host.serve('/two.mp3', await toneBytes(1));
    const report = await fixture.run();
    expect(report).toMatchObject({ created: 1, failed: 1 });
    expect(report.problems).toMatchObject([{ guid: '1', reason: 'not_audio' }]);
  });

  // IMPORT-8
  it('audio is not downloaded without copying: the show plays from the source', async () => {
    serve(items());
    const report = await fixture.run({ copyAudio: false });
    expect(report).toMatchObject({ created: 2, failed: 0, audio: { files: 0 } });
    // Only HEAD requests find out where the audio leads; its bytes are not fetched.
    expect(fixture.host.requested().sort()).toEqual(['/feed.xml', '/one.mp3', '/two.mp3']);
    expect(await fixture.episodesOf(report.podcast.id)).toMatchObject([
      { status: 'published', blob_key: null, source_url: `${fixture.host.url}/one.mp3` },
      { status: 'published', blob_key: null, source_url: `${fixture.host.url}/two.mp3` },
    ]);
    expect(await fixture.run({ copyAudio: false })).toMatchObject({ unchanged: 2 });
    fixture.host.serve('/one.mp3', await toneBytes(1));
    fixture.host.serve('/two.mp3', await toneBytes(1));
    expect(await fixture.run()).toMatchObject({ updated: 2, audio: { files: 2 } });
  });

  it('an episode is not delayed by its audio if copying is switched off', async () => {
    serve(items());
    const { podcast } = await fixture.run();
    expect(await fixture.run({ copyAudio: false })).toMatchObject({ updated: 2, failed: 0 });
    expect(await fixture.episodesOf(podcast.id)).toMatchObject([
      { status: 'published', published_at: new Date('2020-01-01T10:00:00Z') },
      { status: 'published', published_at: new Date('2020-01-02T10:00:00Z') },
    ]);
  });
});

describe('images, transcripts and chapters that cannot be downloaded', () => {
  it('images, transcripts and chapters that cannot be downloaded are warnings, and the rest is imported', async () => {
    const { url } = fixture.host;
    const xml = `<itunes:image href="${url}/none.png"/>
      <podcast:transcript url="${url}/none.vtt" type="text/vtt"/>
      <podcast:chapters url="${url}/page.html" type="application/json+chapters"/>
      <psc:chapters><psc:chapter start="0" title="From the feed"/></psc:chapters>
      <podcast:person img="${url}/page.html">Ana</podcast:person>`;
    fixture.host.serve('/page.html', '<html>Sorry</html>', 'text/html');
    serve(
      [{ guid: '1', title: 'One', audio: audio('1'), xml }],
      `<itunes:image href="${url}/none.png"/>`,
    );
    const report = await fixture.run({ copyAudio: false });
    expect(report).toMatchObject({ created: 1, failed: 0, problems: [] });
    expect(report.warnings.map(({ guid, reason }) => `${guid} ${reason}`).sort()).toEqual([
      '1 http_status',
      '1 not_chapters',
      'null http_status',
      'null no_date',
      'null not_an_image',
    ]);
    const [one] = await fixture.episodesOf(report.podcast.id);
    const [stored] = await fixture.rows<{ chapters: unknown }>(
      'select chapters from chapters where episode_id = $1',
      [one!.id],
    );
    expect(stored?.chapters).toEqual([{ startMs: 0, title: 'From the feed' }]);
  });
});

describe('secrets in a feed', () => {
  // FEED-4, PRINT-2
  it('secrets in GUIDs and addresses of a feed are stored and never shown', async () => {
    const guid = 'https://example.com/e/1?token=hush';
    const audio = `${fixture.host.url}/one.mp3?token=hush`;
    serve([{ guid, title: 'One', date: date(1), audio, xml: `<link>${guid}</link>` }]);
    const failed = await fixture.run();
    expect(JSON.stringify(failed)).not.toContain('hush');
    expect(failed.problems).toMatchObject([{ guid: null, title: 'One', reason: 'http_status' }]);
    const withoutAudio = await fixture.run({ copyAudio: false });
    expect(withoutAudio.problems).toMatchObject([{ title: 'One', reason: 'audio_is_secret' }]);
    expect(JSON.stringify(withoutAudio)).not.toContain('hush');
    const show = (await findPublicPodcast(fixture.test.ctx, failed.podcast.slug))!;
    const [row] = await fixture.episodesOf(failed.podcast.id);
    expect(row).toMatchObject({ guid: null, source_key: guid, source_url: audio });
    const episode = await getPublicEpisode(fixture.test.ctx, show, row!.id);
    expect(JSON.stringify(episode)).not.toContain('token');
  });
});

describe('items with missing or unusual fields', () => {
  it('items with a future date are published when they are due', async () => {
    serve([{ guid: '1', title: 'Soon', audio: audio('1'), date: '01 Jan 2030 00:00:00 GMT' }]);
    const { podcast } = await fixture.run({ copyAudio: false });
    const scheduled_for = new Date('2030-01-01T00:00:00Z');
    expect(await fixture.episodesOf(podcast.id)).toMatchObject([
      { status: 'scheduled', scheduled_for, published_at: null },
    ]);
    expect(await fixture.run({ copyAudio: false })).toMatchObject({ unchanged: 1 });
    serve([{ guid: '1', title: 'Soon', audio: audio('1'), date: '01 Jan 2020 00:00:00 GMT' }]);
    expect(await fixture.run({ copyAudio: false })).toMatchObject({ updated: 1 });
    expect(await fixture.episodesOf(podcast.id)).toMatchObject([
      { status: 'published', published_at: new Date('2020-01-01T00:00:00Z') },
    ]);
  });

  it('items without GUIDs, dates, titles or Latin letters stay distinct', async () => {
    serve([
      { title: '新闻', audio: 'https://cdn.example/4.mp3' },
      { title: 'News', audio: 'https://cdn.example/3.mp3' },
      { title: 'News', audio: 'https://cdn.example/2.mp3' },
      { audio: 'https://cdn.example/the-first.mp3' },
    ]);
    const report = await fixture.run({ copyAudio: false });
    expect(report).toMatchObject({ created: 4, failed: 0 });
    const episodes = await fixture.episodesOf(report.podcast.id);
    expect(episodes.map(({ title, slug }) => [title, slug])).toEqual([
      ['the first', 'the-first'],
      ['News', 'news'],
      ['News', 'news-2'],
      ['新闻', 'episode'],
    ]);
    expect(await fixture.run({ copyAudio: false })).toMatchObject({ created: 0, unchanged: 4 });
  });
});
