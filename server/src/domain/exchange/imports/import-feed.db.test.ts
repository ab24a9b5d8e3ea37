import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pictureBytes, toneBytes, writeTestFeed } from '../../../../test/hosts/podcast-host.ts';
import { type ImportFixture, openImportFixture } from '../../../../test/import-fixture.ts';
import { useOneDatabase } from '../../../../test/use-one-database.ts';
import { findPublicPodcast, listPublicEpisodes } from '../../public/catalogue/index.ts';
import { archiveEpisode, updateEpisode } from '../../publishing/episodes/index.ts';
import { getPodcast, updatePodcast } from '../../publishing/podcasts/index.ts';
import { findChapters, findPublishedTranscript } from '../../publishing/transcripts/index.ts';

const databases = useOneDatabase();
let fixture: ImportFixture;
beforeEach(async () => {
  fixture = await openImportFixture(databases);
});
afterEach(() => fixture[Symbol.asyncDispose]());

async function serveFiles() {
  const { host } = fixture;
  host.serve('/cover.png', await pictureBytes('#224466'), 'image/png');
  host.serve('/one.png', await pictureBytes('#662244'), 'image/png');
  host.serve('/ana.png', await pictureBytes('#446622', 400), 'image/png');
  host.serve('/one.mp3', await toneBytes(1), 'audio/mpeg');
  host.serve('/two.mp3', await toneBytes(2), 'audio/mpeg');
  host.serve('/one.vtt', 'WEBVTT\n\n00:00.000 --> 00:01.000\n<v Ana>Hello there.\n', 'text/vtt');
  const chapters = { version: '1.2.0', chapters: [{ startTime: 0, title: 'Opening' }] };
  host.serve('/one.json', JSON.stringify(chapters), 'application/json');
}

function serveFeed(changes: { secondTitle?: string; description?: string; third?: true } = {}) {
  const { url } = fixture.host;
  const channel = `<description>${changes.description ?? 'A show of &lt;b&gt;signals&lt;/b&gt;.'}</description>
    <language>de-at</language><itunes:author>Ana</itunes:author>
    <itunes:category text="Science"><itunes:category text="Physics"/></itunes:category>
    <itunes:image href="${url}/cover.png"/><itunes:type>serial</itunes:type>
    <podcast:guid>917393e3-1b1e-5cef-ace4-edaa54e1f810</podcast:guid>
    <podcast:person img="${url}/ana.png" href="https://ana.example/">Ana</podcast:person>`;
  const first = {
    guid: ' tag:example.com,2020:1 ',
    title: 'First',
    date: 'Wed, 01 Jan 2020 10:00:00 GMT',
    audio: `${url}/one.mp3`,
    xml: `<content:encoded><![CDATA[<p>Notes<script>alert(1)</script></p>]]></content:encoded>
      <itunes:image href="${url}/one.png"/>
      <podcast:person>Ana</podcast:person><podcast:person role="guest">Bo</podcast:person>
      <podcast:transcript url="${url}/one.vtt" type="text/vtt" language="de"/>
      <podcast:chapters url="${url}/one.json" type="application/json+chapters"/>`,
  };
  const second = {
    guid: 'tag:example.com,2020:2',
    title: changes.secondTitle ?? 'Second',
    date: 'Wed, 08 Jan 2020 10:00:00 GMT',
    audio: `${url}/two.mp3`,
    xml: `<itunes:season>2</itunes:season><itunes:episode>7</itunes:episode>
      <itunes:episodeType>bonus</itunes:episodeType>
      <psc:chapters><psc:chapter start="00:00:00" title="Start"/></psc:chapters>`,
  };
  const third = {
    guid: '3',
    title: 'Third',
    date: 'Wed, 15 Jan 2020 10:00:00 GMT',
    audio: `${url}/one.mp3?3`,
  };
  const items = changes.third ? [third, second, first] : [second, first];
  fixture.host.serve('/feed.xml', writeTestFeed({ channel, items }), 'application/rss+xml');
}

describe('a whole show', () => {
  beforeEach(async () => {
    await serveFiles();
    serveFeed();
  });

  // FEED-4
  it('a whole show is imported with all its fields and files', async () => {
    const { test, run, episodesOf } = fixture;
    const report = await run();
    expect(report).toMatchObject({ created: 2, updated: 0, unchanged: 0, failed: 0 });
    expect(report).toMatchObject({ problems: [], warnings: [], dryRun: false, omitted: 0 });
    expect(report.audio).toEqual({
      files: 2,
      bytes: (await toneBytes(1)).length + (await toneBytes(2)).length,
    });
    expect(report.podcast).toMatchObject({
      slug: 'night-signals',
      guid: '917393e3-1b1e-5cef-ace4-edaa54e1f810',
      outcome: 'created',
    });
    const podcast = await getPodcast(test.ctx, report.podcast.id!);
    expect(podcast).toMatchObject({
      title: 'Night Signals',
      description: 'A show of signals.',
      author: 'Ana',
      language: 'de-AT',
      category: 'Science',
      subcategory: 'Physics',
      showType: 'serial',
      artworkId: expect.any(String),
    });
    const [first, second] = await episodesOf(podcast.id);
    expect(first).toMatchObject({
      slug: 'first',
      episode_number: 1,
      status: 'published',
      guid: 'tag:example.com,2020:1',
      published_at: new Date('2020-01-01T10:00:00Z'),
      show_notes_html: '<p>Notes</p>',
      blob_key: expect.any(String),
      artwork_id: expect.any(String),
      source_guid_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      source_enclosure_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(second).toMatchObject({ slug: 'second', episode_number: 7, season: 2 });
    expect(await findPublishedTranscript(test.ctx, first!.id)).toMatchObject({
      language: 'de',
      segments: [{ startMs: 0, endMs: 1000, speaker: 'Ana', text: 'Hello there.' }],
    });
    expect(await findChapters(test.ctx, first!.id)).toEqual([{ startMs: 0, title: 'Opening' }]);
    expect(await findChapters(test.ctx, second!.id)).toEqual([{ startMs: 0, title: 'Start' }]);
  });

  it('credits its people: hosts with photos for the show, guests for their episodes', async () => {
    const { podcast } = await fixture.run();
    const people = await fixture.rows(
      `select name, roster, photo_id is not null as photo, link_url from people
       where podcast_id = $1 order by position`,
      [podcast.id],
    );
    expect(people).toEqual([
      { name: 'Ana', roster: true, photo: true, link_url: 'https://ana.example/' },
      { name: 'Bo', roster: false, photo: false, link_url: null },
    ]);
    const show = (await findPublicPodcast(fixture.test.ctx, podcast.slug))!;
    const { items: episodes } = await listPublicEpisodes(fixture.test.ctx, show, { limit: 10 });
    expect(episodes.map(({ title, people: on }) => [title, on.map(({ name }) => name)])).toEqual([
      ['Second', ['Ana']],
      ['First', ['Ana', 'Bo']],
    ]);
  });

  it('leaves no temporary files or rows', async () => {
    const { importId } = await fixture.run();
    const [row] = await fixture.rows<{ documents: { key: string }[] }>(
      'select state, documents, holder, lease_until, error from imports where id = $1',
      [importId],
    );
    expect(row).toMatchObject({ state: 'finished', holder: null, lease_until: null, error: null });
    expect(row!.documents).toHaveLength(1);
    for (const { key } of row!.documents) {
      expect(await fixture.test.ctx.blobs.stat(key)).toBeUndefined();
    }
    expect(await scratchFiles()).toEqual([]);
  });

  it('reports its progress', async () => {
    const phases = new Map<string, { done: number; total: number | undefined }>();
    await fixture.run({
      onProgress: ({ phase, done, total }) => void phases.set(phase, { done, total }),
    });
    expect(Object.fromEntries(phases)).toEqual({
      feed: { done: 0, total: undefined },
      episodes: { done: 2, total: 2 },
      images: { done: 3, total: 3 },
      texts: { done: 1, total: 1 },
      audio: { done: 2, total: 2 },
    });
  });
});

describe('a repeated import', () => {
  beforeEach(async () => {
    await serveFiles();
    serveFeed();
  });

  // IMPORT-1
  it('writes nothing if nothing has changed', async () => {
    const before = await fixture.run();
    const state = await wholeState();
    fixture.host.purge();
    const again = await fixture.run();
    expect(again).toMatchObject({ created: 0, updated: 0, unchanged: 2, failed: 0 });
    expect(again.podcast).toMatchObject({ id: before.podcast.id, outcome: 'unchanged' });
    expect(again.audio.files).toBe(0);
    expect(await wholeState()).toEqual(state);
    // Transcripts and chapters are requested again, pictures and audio are not.
    expect(fixture.host.requested().sort()).toEqual(['/feed.xml', '/one.json', '/one.vtt']);
  });

  // IMPORT-1
  it('imports what has changed, and reports it', async () => {
    const before = await fixture.run();
    serveFeed({ secondTitle: 'Second, mended', description: 'Another show.', third: true });
    fixture.host.serve('/one.vtt', 'WEBVTT\n\n00:00.000 --> 00:02.000\n<v Bo>No.\n', 'text/vtt');
    const plan = await fixture.run({ dryRun: true });
    const report = await fixture.run();
    expect(report).toMatchObject({ created: 1, updated: 2, unchanged: 0, failed: 0 });
    expect(report.podcast).toMatchObject({
      id: before.podcast.id,
      outcome: 'updated',
      changes: [{ field: 'description', from: 'A show of signals.', to: 'Another show.' }],
    });
    const episodes = await fixture.episodesOf(before.podcast.id);
    expect(episodes.map(({ title, slug }) => [title, slug])).toEqual([
      ['First', 'first'],
      ['Second, mended', 'second'],
      ['Third', 'third'],
    ]);
    expect(await findPublishedTranscript(fixture.test.ctx, episodes[0]!.id)).toMatchObject({
      segments: [{ speaker: 'Bo', text: 'No.' }],
    });
    // The dry run reported the same, except changes in separate files.
    expect(plan).toMatchObject({ dryRun: true, importId: null, created: 1, updated: 1 });
    expect(plan.changes).toEqual([
      {
        guid: 'tag:example.com,2020:2',
        title: 'Second, mended',
        outcome: 'updated',
        changes: [{ field: 'title', from: 'Second', to: 'Second, mended' }],
      },
      { guid: '3', title: 'Third', outcome: 'created', changes: [] },
    ]);
  });

  // IMPORT-5
  it('a repeated import keeps local changes of episodes', async () => {
    const { podcast } = await fixture.run();
    const { ctx } = fixture.test;
    const [first, second] = await fixture.episodesOf(podcast.id);
    await archiveEpisode(ctx, first!.id);
    await updateEpisode(ctx, second!.id, { slug: 'renamed' });
    await updatePodcast(ctx, podcast.id!, { slug: 'night-signals-here' });
    serveFeed({ secondTitle: 'Second, mended' });
    const report = await fixture.run({ slug: 'night-signals' });
    expect(report).toMatchObject({ created: 0, updated: 1, unchanged: 1, failed: 0 });
    expect(report.podcast).toMatchObject({ id: podcast.id, slug: 'night-signals-here' });
    expect(await fixture.episodesOf(podcast.id)).toMatchObject([
      { id: first!.id, status: 'archived' },
      { id: second!.id, status: 'published', slug: 'renamed', title: 'Second, mended' },
    ]);
  });

  it('copies audio again only if its address has changed', async () => {
    const { podcast } = await fixture.run();
    const [, before] = await fixture.episodesOf(podcast.id);
    const feed = writeTestFeed({
      channel: '<podcast:guid>917393e3-1b1e-5cef-ace4-edaa54e1f810</podcast:guid>',
      items: [{ guid: 'tag:example.com,2020:2', audio: `${fixture.host.url}/two.mp3?v=2` }],
    });
    fixture.host.serve('/feed.xml', feed);
    fixture.host.serve('/two.mp3', await toneBytes(3), 'audio/mpeg');
    expect(await fixture.run({ copyAudio: false })).toMatchObject({ audio: { files: 0 } });
    expect((await fixture.episodesOf(podcast.id))[1]).toMatchObject({ blob_key: before!.blob_key });
    const report = await fixture.run();
    expect(report).toMatchObject({ updated: 1, audio: { files: 1 } });
    const [, after] = await fixture.episodesOf(podcast.id);
    expect(after!.blob_key).not.toBe(before!.blob_key);
  });
});

describe('a dry run', () => {
  it('reports what an import would do, and stores nothing', async () => {
    await serveFiles();
    serveFeed();
    const report = await fixture.run({ dryRun: true });
    expect(report).toMatchObject({ dryRun: true, importId: null, created: 2, failed: 0 });
    expect(report.podcast).toEqual({
      id: null,
      slug: 'night-signals',
      title: 'Night Signals',
      guid: '917393e3-1b1e-5cef-ace4-edaa54e1f810',
      outcome: 'created',
      changes: [],
    });
    expect(report.audio).toEqual({ files: 2, bytes: 2000 });
    expect(report.changes.map(({ title }) => title)).toEqual(['First', 'Second']);
    expect(fixture.host.requested()).toEqual(['/feed.xml']);
    for (const table of ['podcasts', 'episodes', 'imports', 'images', 'people']) {
      expect(await fixture.rows(`select id from ${table}`), table).toEqual([]);
    }
    expect(await scratchFiles()).toEqual([]);
  });
});

function scratchFiles(): Promise<string[]> {
  return readdir(fixture.test.ctx.blobs.scratchDir);
}

/** Everything an import writes, with the times at which it was written. */
async function wholeState(): Promise<unknown> {
  const tables = ['podcasts', 'episodes', 'audio_files', 'images', 'people', 'episode_credits'];
  const texts = ['transcripts', 'transcript_segments', 'further_transcripts', 'chapters'];
  const more = [...texts, 'podcast_slugs', 'episode_slugs'];
  const state: Record<string, unknown> = {};
  for (const table of [...tables, ...more]) {
    // xmin: which transaction wrote the row last.
    state[table] = await fixture.rows(`select xmin, t.* from ${table} t order by t::text`);
  }
  return state;
}
