import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TestItem, writeTestFeed } from '../../../../test/hosts/podcast-host.ts';
import { type ImportFixture, openImportFixture } from '../../../../test/import-fixture.ts';
import { useOneDatabase } from '../../../../test/use-one-database.ts';
import { findPublicPodcast } from '../../public/catalogue/index.ts';
import { streamFeed } from '../../public/feeds/index.ts';
import { getPodcast } from '../../publishing/podcasts/index.ts';
import type { ImportReport } from './index.ts';

const databases = useOneDatabase();
let fixture: ImportFixture;
beforeEach(async () => {
  fixture = await openImportFixture(databases);
});
afterEach(() => fixture[Symbol.asyncDispose]());

const known = '<language>en</language><itunes:author>Ana</itunes:author>';
const audio = 'https://cdn.example/1.mp3';
const date = 'Wed, 01 Jan 2020 10:00:00 GMT';

/** Runs a dry run and then the import, which must report the same. */
async function bringIn(
  channel: string,
  items: readonly TestItem[],
  { hasTexts = false } = {},
): Promise<ImportReport> {
  fixture.host.serve(
    '/feed.xml',
    writeTestFeed({ channel, usual: '', items }),
    'application/rss+xml',
  );
  const planned = await fixture.run({ copyAudio: false, dryRun: true });
  const done = await fixture.run({ copyAudio: false });
  // Texts are fetched by the import alone.
  if (!hasTexts) expect(planned.warnings).toEqual(done.warnings);
  expect(planned.problems).toEqual(done.problems);
  expect(planned.notKept).toEqual(done.notKept);
  return done;
}

async function feedOf({ podcast }: ImportReport): Promise<string> {
  const show = await findPublicPodcast(fixture.test.ctx, podcast.id ?? '');
  return Buffer.concat(
    await Readable.from(streamFeed(fixture.test.ctx, show!)).toArray(),
  ).toString();
}

const reasons = ({ warnings }: ImportReport) => warnings.map(({ reason }) => reason);

it('a complete feed has no warnings', async () => {
  const report = await bringIn(known, [{ guid: '1', title: 'One', date, audio }]);
  expect(report).toMatchObject({ created: 1, problems: [], warnings: [], notKept: [] });
});

it('the name of a season without its number is a warning', async () => {
  const xml = '<podcast:season name="Winter"/>';
  const report = await bringIn(known, [{ guid: '1', title: 'One', date, audio, xml }]);
  expect(reasons(report)).toEqual(['season_without_number']);
  const xmlWithNumber = '<podcast:season name="Winter">2</podcast:season>';
  const item = { guid: '1', title: 'One', date, audio, xml: xmlWithNumber };
  expect(reasons(await bringIn(known, [item]))).toEqual([]);
});

it('a default author, language or date is one warning each', async () => {
  const items = [
    { guid: '3', title: 'Three', audio: `${audio}?3` },
    { guid: '2', title: 'Two', date, audio: `${audio}?2` },
    { guid: '1', title: 'One', audio: `${audio}?1` },
  ];
  const report = await bringIn('<language>Klingon, mostly</language>', items);
  expect(reasons(report)).toEqual(['no_author', 'no_language', 'no_date']);
  expect(report.warnings[2]?.message).toMatch(
    /^2 new episodes have no date .* neighbor: 1; the time of the import: 1\.$/,
  );
  const again = await fixture.run({ copyAudio: false });
  expect(again).toMatchObject({ unchanged: 3, warnings: [] });
});

it('categories are mapped to Apple’s current ones, and unknown ones are warnings', async () => {
  const channel = `${known}<itunes:category text="Games &amp; Hobbies"><itunes:category
    text="Video Games"/></itunes:category><itunes:category text="Underwater Basketry"/>`;
  const report = await bringIn(channel, [{ guid: '1', title: 'One', date, audio }]);
  expect(reasons(report)).toEqual(['unknown_category']);
  expect(await getPodcast(fixture.test.ctx, report.podcast.id!)).toMatchObject({
    category: 'Leisure',
    subcategory: 'Video Games',
    otherCategories: [{ category: 'Underwater Basketry', subcategory: null }],
  });
});

// KEYED-16
it('roles outside the taxonomy are warnings, and become hosts', async () => {
  const people =
    '<podcast:person role="Chapter Architect">Bo</podcast:person>' +
    '<podcast:person role="Guests">Cy</podcast:person>';
  const item = { guid: '1', title: 'One', date, audio, xml: people };
  const report = await bringIn(known, [item]);
  expect(reasons(report)).toEqual(['unknown_role']);
  expect(report.warnings[0]?.message).toContain('"chapter architect (cast)" of Bo');
  const feed = await feedOf(report);
  expect(feed).toContain('<podcast:person role="host" group="cast">Bo</podcast:person>');
  expect(feed).toContain('<podcast:person role="guest" group="cast">Cy</podcast:person>');
  expect(await fixture.run({ copyAudio: false })).toMatchObject({ unchanged: 1, updated: 0 });
});

// IMPORT-6
it('elements that are not imported are reported with their counts', async () => {
  const xml = '<itunes:keywords>a, b</itunes:keywords><comments>https://a.example/</comments>';
  const report = await bringIn(`${known}<ttl>60</ttl>`, [
    { guid: '1', title: 'One', date, audio, xml },
    { guid: '2', title: 'Two', date, audio: `${audio}?2`, xml: '<itunes:keywords/>' },
  ]);
  expect(report.notKept).toEqual([
    { element: 'itunes:keywords', in: 'item', count: 2 },
    { element: 'ttl', in: 'channel', count: 1 },
    { element: 'comments', in: 'item', count: 1 },
  ]);
});

// IMPORT-6
it('elements that an item or a show repeats are reported', async () => {
  const channel = `${known}<podcast:guid>placeholder</podcast:guid>`;
  const xml =
    `<enclosure url="${audio}?video" type="video/mp4" length="9"/>` +
    '<podcast:chapters url="ftp://a.example/0.json"/>' +
    Array.from({ length: 202 }, (_, at) => `<podcast:person>P${at}</podcast:person>`).join('') +
    Array.from(
      { length: 52 },
      () => `<podcast:transcript url="${fixture.host.url}/missing.vtt" type="text/vtt"/>`,
    ).join('');
  const item = { guid: '1', title: 'One', date, audio, xml };
  const report = await bringIn(channel, [item], { hasTexts: true });
  expect(report.notKept).toEqual([
    { element: 'podcast:person', in: 'item', count: 2 },
    { element: 'podcast:transcript', in: 'item', count: 2 },
    { element: 'enclosure', in: 'item', count: 1 },
    { element: 'podcast:chapters', in: 'item', count: 1 },
    { element: 'podcast:guid', in: 'channel', count: 1 },
  ]);
});

it.each(['zip', 'pdf'])(
  'an enclosure that is %s is a problem, and the episode waits for audio',
  async (kind) => {
    const enclosure = `<enclosure url="https://cdn.example/one.${kind}" type="application/${kind}" length="9"/>`;
    const report = await bringIn(known, [{ guid: '1', title: 'One', date, xml: enclosure }]);
    const waits = { failed: 1, problems: [{ guid: '1', reason: 'enclosure_not_audio' }] };
    expect(report).toMatchObject(waits);
    const status = async () => (await fixture.episodesOf(report.podcast.id)).map((e) => e.status);
    expect(await status()).toEqual(['pending_confirmation']);
    expect(await fixture.run({ copyAudio: false })).toMatchObject(waits);
    expect(await status()).toEqual(['pending_confirmation']);
  },
);

describe('a blog in which only some items have audio', () => {
  const picture = '<enclosure url="https://cdn.example/p.jpg" type="image/jpeg" length="9"/>';
  const posts: readonly TestItem[] = [
    { guid: 'p2', title: 'A photo', date, xml: picture },
    { guid: '1', title: 'One', date, audio },
    { guid: 'p1', title: 'Only words', date },
  ];

  it('a blog in which only some items have audio becomes a show without the others, which are named', async () => {
    const report = await bringIn(known, posts);
    expect(report).toMatchObject({ created: 1, failed: 0, problems: [] });
    expect(report.warnings).toMatchObject([
      {
        reason: 'items_without_audio',
        message: '2 items have no audio and do not become episodes: "Only words", "A photo".',
      },
    ]);
    expect(report.notKept).toEqual([{ element: 'enclosure', in: 'item', count: 1 }]);
    const episodes = await fixture.episodesOf(report.podcast.id);
    expect(episodes.map(({ title }) => title)).toEqual(['One']);
    const again = await fixture.run({ copyAudio: false });
    expect(again).toMatchObject({ created: 0, updated: 0, unchanged: 1, failed: 0 });
  });

  it('a blog in which only some items have audio keeps an episode whose item loses its audio, and updates its texts', async () => {
    await bringIn(known, posts);
    const report = await bringIn(known, [{ guid: '1', title: 'One, revised', date }]);
    expect(report).toMatchObject({ updated: 1, failed: 0, warnings: [] });
    expect(await fixture.episodesOf(report.podcast.id)).toMatchObject([
      { title: 'One, revised', status: 'published', source_url: audio },
    ]);
  });

  it('a blog in which only some items have audio is named as such if nothing has audio, with up to 20 titles', async () => {
    const items = Array.from({ length: 25 }, (_, at) => ({ guid: `${at}`, title: `P${at}`, date }));
    const report = await bringIn(known, items);
    expect(report).toMatchObject({ created: 0, failed: 0 });
    expect(reasons(report)).toEqual(['feed_without_audio']);
    expect(report.warnings[0]?.message).toMatch(/"P5" and 5 more\.$/);
    expect(await fixture.episodesOf(report.podcast.id)).toEqual([]);
  });
});

it('authors of items that are named nowhere else are reported', async () => {
  const person = '<podcast:person>Bo</podcast:person><itunes:author>bo</itunes:author>';
  const xmls = [
    '<itunes:author>Ana</itunes:author>',
    '<itunes:author>Guest Person</itunes:author>',
    `${person}<dc:creator>admin</dc:creator>`,
    '<itunes:author>Owner</itunes:author><googleplay:author>Guest</googleplay:author>',
  ];
  const items = xmls.map((xml, at) => {
    return { guid: `${at}`, title: `No. ${at}`, date, audio: `${audio}?${at}`, xml };
  });
  const owner = '<itunes:owner><itunes:name>Owner</itunes:name></itunes:owner>';
  const report = await bringIn(known + owner, items);
  expect(report.notKept).toEqual([
    { element: 'itunes:author', in: 'item', count: 1 },
    { element: 'dc:creator', in: 'item', count: 1 },
    { element: 'googleplay:author', in: 'item', count: 1 },
  ]);
});

it('contributors of Podlove become people', async () => {
  const contributor = (name: string) =>
    `<atom:contributor><atom:name>${name}</atom:name><atom:uri>https://a.example/${name}</atom:uri></atom:contributor>`;
  const xml = `<podcast:person role="guest">Bo</podcast:person>${contributor('Bo')}${contributor('Cy')}`;
  const report = await bringIn(known, [{ guid: '1', title: 'One', date, audio, xml }]);
  expect(reasons(report)).toEqual(['unknown_role']);
  expect(report.notKept).toEqual([]);
  const feed = await feedOf(report);
  expect(feed.match(/<podcast:person.*/g)).toEqual([
    '<podcast:person role="guest" group="cast">Bo</podcast:person>',
    '<podcast:person role="host" group="cast" href="https://a.example/Cy">Cy</podcast:person>',
  ]);
});

describe('numbers of episodes', () => {
  it('episode numbers that are fractions are in the feed again', async () => {
    const xml = '<podcast:episode>204.5</podcast:episode>';
    const report = await bringIn(known, [{ guid: '1', title: 'One', date, audio, xml }]);
    expect(report).toMatchObject({ warnings: [], notKept: [] });
    expect(await feedOf(report)).toContain(xml);
  });

  it('episode numbers that cannot be stored are reported', async () => {
    const xmls = [
      '<podcast:episode display="Ch. 3">204.5</podcast:episode>',
      '<podcast:season>1.5</podcast:season><itunes:episode>12a</itunes:episode>',
      '<podcast:season name="A">1</podcast:season><podcast:season name="B">2</podcast:season>',
      '<itunes:episode>5</itunes:episode><podcast:episode>105</podcast:episode>',
    ];
    const items = xmls.map((xml, at) => {
      return { guid: `${at}`, title: `No. ${at}`, date, audio: `${audio}?${at}`, xml };
    });
    const report = await bringIn(known, items);
    expect(reasons(report)).toEqual(['display_without_number']);
    expect(report.notKept).toEqual([
      { element: 'podcast:episode', in: 'item', count: 2 },
      { element: 'podcast:season', in: 'item', count: 2 },
      { element: 'itunes:episode', in: 'item', count: 1 },
    ]);
  });
});

// PUB-19
it('audio at a secret address is a problem, with advice to copy it', async () => {
  const secret = `${audio}?apikey=hush`;
  const report = await bringIn(known, [{ guid: '1', title: 'One', date, audio: secret }]);
  expect(report).toMatchObject({ failed: 1, problems: [{ guid: '1', reason: 'audio_is_secret' }] });
  expect(report.problems[0]?.message).toContain('An import that copies the audio');
  expect(JSON.stringify(report)).not.toContain('hush');
});

// FEED-7, STATE-11
it('the feed has only episode numbers that somebody has set', async () => {
  const numbered = '<itunes:episode>2</itunes:episode>';
  const items = [
    { guid: '2', title: 'Two', date, audio: `${audio}?2`, xml: numbered },
    { guid: '1', title: 'One', date, audio },
  ];
  const report = await bringIn(known, items);
  const feed = await feedOf(report);
  expect(feed.match(/<itunes:episode>\d+</g)).toEqual(['<itunes:episode>2<']);
  expect(feed.match(/<podcast:episode>\d+</g)).toEqual(['<podcast:episode>2<']);
  const episodes = await fixture.episodesOf(report.podcast.id);
  expect(episodes.map((episode) => episode.episode_number)).toEqual([1, 2]);
});

it('a number that the source adds later is imported', async () => {
  const item = { guid: '1', title: 'One', date, audio };
  const first = await bringIn(known, [item]);
  expect(await feedOf(first)).not.toContain('<itunes:episode>');
  const second = await bringIn(known, [{ ...item, xml: '<itunes:episode>1</itunes:episode>' }]);
  expect(second).toMatchObject({ updated: 1 });
  expect(await feedOf(second)).toContain('<itunes:episode>1</itunes:episode>');
});

it('a trailer that is also an episode is in the feed once', async () => {
  const trailer = (url: string) =>
    `<podcast:trailer pubdate="${date}" url="${url}" type="audio/mpeg">Soon</podcast:trailer>`;
  const channel = known + trailer(audio) + trailer('https://cdn.example/other.mp3');
  const xml = '<itunes:episodeType>trailer</itunes:episodeType>';
  const report = await bringIn(channel, [{ guid: '1', title: 'Soon', date, audio, xml }]);
  const feed = await feedOf(report);
  expect(feed.match(/<podcast:trailer/g)).toHaveLength(2);
  expect(feed).toContain('url="https://cdn.example/other.mp3"');
  expect(feed).not.toContain(`url="${audio}"`);
});

// IMPORT-6, LIM-16
describe('links that cannot be published', () => {
  const long = `https://a.example/${'字'.repeat(300)}`;
  const secret = 'https://a.example/?token=abc';
  const person = (name: string, attributes: string) =>
    `<podcast:person ${attributes}>${name}</podcast:person>`;

  it('links that cannot be published are counted in the report', async () => {
    const channel =
      `${known}<link>${long}</link><podcast:funding url="${long}">Give</podcast:funding>` +
      person('Ana', `href="${long}"`);
    const xml =
      `<link>${secret}</link>${person('Bo', `href="${secret}" img="ftp://a.example/"`)}` +
      '<psc:chapters><psc:chapter start="0" title="A" image="ftp://a.example/"/></psc:chapters>';
    const report = await bringIn(channel, [{ guid: '1', title: 'One', date, audio, xml }]);
    expect(
      report.notKept.map((each) => `${each.count} ${each.element} in ${each.in}`).sort(),
    ).toEqual([
      '1 link in channel',
      '1 link in item',
      '1 podcast:funding in channel',
      '1 podcast:person@href in channel',
      '1 podcast:person@href in item',
      '1 podcast:person@img in item',
      '1 psc:chapter@image in item',
    ]);
    const people = await fixture.rows('select name, link_url from people order by name');
    expect(people).toEqual([
      { name: 'Ana', link_url: null },
      { name: 'Bo', link_url: null },
    ]);
  });

  it('links that cannot be published are parts that a chapter loses', async () => {
    const xml = `<psc:chapters><psc:chapter start="0" title="A" href="${long}"/></psc:chapters>`;
    const report = await bringIn(known, [{ guid: '1', title: 'One', date, audio, xml }]);
    expect(report.warnings).toMatchObject([{ reason: 'parts_left_out' }]);
  });
});
