import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../test/create-test-app.ts';
import { makeEpisode, makePodcast } from '../../test/make.ts';
import { runCommand } from '../../test/run-command.ts';
import { toneWithChapters } from '../../test/tagged-tone.ts';
import { makeTone } from '../domain/publishing/audio/index.ts';
import type { Episode } from '../domain/publishing/episodes/index.ts';
import { addPerson } from '../domain/publishing/people/index.ts';
import type { Podcast } from '../domain/publishing/podcasts/index.ts';
import { newId } from '../lib/uuid.ts';

let app: TestApp;
let folder: string;
let podcast: Podcast;
let episode: Episode;

beforeAll(async () => {
  app = await createTestApp();
  folder = await mkdtemp(join(tmpdir(), 'podstead-cli-'));
  for (const seconds of [1, 2]) {
    await pipeline(makeTone(seconds), createWriteStream(join(folder, `${seconds}.mp3`)));
  }
  const picture = { width: 1400, height: 1400, channels: 3, background: '#aa3300' } as const;
  await sharp({ create: picture }).png().toFile(join(folder, 'cover.png'));
  await writeFile(join(folder, 't.vtt'), 'WEBVTT\n\n00:00.000 --> 00:01.000\n<v Bo>Hello\n');
  const chapters = { version: '1.2.0', chapters: [{ startTime: 0, title: 'Part' }] };
  await writeFile(join(folder, 'c.json'), JSON.stringify(chapters));
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

beforeEach(async () => {
  podcast = await makePodcast(app.ctx);
  episode = await makeEpisode(app.ctx, podcast, { publishTranscript: true });
});

const set = (...values: string[]) =>
  runCommand(app, ['episode', 'set', episode.id, ...values], { cwd: folder });
const get = (url: string) =>
  app.request({ method: 'GET', url: url.replace('http://test.local', '') });
const readPublic = async () => (await get(`/v1/episodes/${episode.id}`)).json().data;
const readFeed = async () => (await get(`/feeds/${podcast.slug}.xml`)).body;

describe('the chapters in the tags of audio', () => {
  const chapters = async (id: string) => (await get(`/chapters/${id}.json`)).json().chapters;
  beforeAll(async () => {
    await writeFile(join(folder, 'parts.mp3'), await toneWithChapters('One', 'Two'));
  });

  it('the chapters in the tags of audio are taken by episode add', async () => {
    const args = ['episode', 'add', podcast.slug, '--title', 'T', '--audio', 'parts.mp3'];
    const { json } = await runCommand(app, [...args, '--publish'], { cwd: folder });
    expect(json).toMatchObject({ chapters: 2 });
    expect(await chapters(json.id)).toMatchObject([{ title: 'One' }, { title: 'Two' }]);
  });

  it('the chapters in the tags of audio are taken by episode set, and never replace others', async () => {
    expect((await set('audio=parts.mp3')).json).toMatchObject({ chapters: 2 });
    expect((await set('chapters=c.json')).json).toMatchObject({ chapters: 1 });
    expect((await set('audio=parts.mp3')).json).toMatchObject({ chapters: 1 });
    expect(await chapters(episode.id)).toMatchObject([{ title: 'Part' }]);
  });
});

describe('episode set', () => {
  it('names the parts of a transcript and of chapters that it could not use', async () => {
    await writeFile(join(folder, 'odd.vtt'), 'WEBVTT\n\n0:xx --> 1\nlost\n\n0.5 --> 2.5\nkept\n');
    await writeFile(join(folder, 'odd.txt'), '0:00 Part\nsee you\n');
    const { json, said } = await set('transcript=odd.vtt', 'chapters=odd.txt');
    expect(json).toMatchObject({ transcript: { segments: 1, has_times: true }, chapters: 1 });
    expect(said).toContain('transcript: 1 part of the file could not be used: "0:xx --> 1 lost".');
    expect(said).toContain('chapters: 1 part of the file could not be used: "see you".');
  });

  // CLI-18, FEED-9
  it('sets audio, artwork, transcript, chapters and people, visible in API, feed and page', async () => {
    await addPerson(app.ctx, { podcastId: podcast.id, name: 'Ana' });
    const bo = await addPerson(app.ctx, { podcastId: podcast.id, name: 'Bo', role: 'guest' });
    const { code, json } = await set(
      'title=First light',
      'audio=1.mp3',
      'artwork=cover.png',
      'transcript=t.vtt',
      'chapters=c.json',
      `people=bo, ana`,
    );
    expect(code).toBe(0);
    expect(json).toMatchObject({
      title: 'First light',
      audio: { content_type: 'audio/mpeg', copied: true },
      artwork: { width: 1400 },
      people: [{ id: bo.id, name: 'Bo', role: 'guest' }, { name: 'Ana' }],
      transcript: { language: 'en', segments: 1 },
      chapters: 1,
    });
    expect(await readPublic()).toMatchObject({
      title: 'First light',
      audio: { duration_seconds: 1 },
      people: [{ name: 'Bo' }, { name: 'Ana' }],
      transcript: { language: 'en' },
      chapters_url: expect.any(String),
    });
    expect((await get(`/transcripts/${episode.id}.vtt`)).body).toContain('Hello');
    expect((await get(`/chapters/${episode.id}.json`)).body).toContain('Part');
    const feed = await readFeed();
    expect(feed).toContain(json.artwork.url);
    expect(feed).toContain(`${episode.id}/f/`);
    expect(feed).toMatch(/<podcast:person[^>]*role="guest"[^>]*>Bo</);
    expect((await get(json.links.listen)).body).toContain('First light');
  });

  it('sets all transcripts in other languages', async () => {
    const others = (...list: unknown[]) => `other_transcripts=${JSON.stringify(list)}`;
    const german = { text: 'Hallo zusammen.', language: 'de-at' };
    const early = await set(others(german));
    expect(early).toMatchObject({ code: 1, said: expect.stringMatching(/Set transcript too/) });
    const both = await set('transcript=t.vtt', others({ file: 't.vtt', language: 'fr' }, german));
    const stored = [
      { language: 'de-AT', has_times: false, segments: 1 },
      { language: 'fr', has_times: true, segments: 1 },
    ];
    expect(both.json).toMatchObject({ transcript: { language: 'en' }, other_transcripts: stored });
    await set('publish_transcript=true');
    const address = `/transcripts/${episode.id}.de-AT.html`;
    expect((await get(address)).body).toContain('Hallo zusammen.');
    for (const [list, message] of [
      [[german, { ...german, language: 'de-AT' }], /Two transcripts are in de-AT/],
      [[{ ...german, language: 'en' }], /first transcript is already in en/],
      [[{ text: '', language: 'it' }], /contains no words/],
    ] as const) {
      const refused = await set(others(...list));
      expect(refused).toMatchObject({ code: 1, said: expect.stringMatching(message) });
    }
    expect(await set(others({ text: 'x' }))).toMatchObject({ code: 2 });
    const shown = await runCommand(app, ['episode', 'show', episode.id]);
    expect(shown.json.other_transcripts).toEqual(stored);
    expect((await set(others(german))).json.other_transcripts).toEqual([stored[0]]);
    expect((await set('other_transcripts=')).json.other_transcripts).toEqual([]);
    expect((await get(address)).statusCode).toBe(404);
  });

  it('mentions that transcripts are not public', async () => {
    await set('publish_transcript=false');
    const said = /transcripts of this episode are not public.* publish_transcript=true\n$/;
    expect((await set('transcript=t.vtt')).said).toMatch(said);
    const further = JSON.stringify([{ text: 'Hallo.', language: 'de' }]);
    expect((await set(`other_transcripts=${further}`)).said).toMatch(said);
    expect((await set('title=New')).said).toBe('');
    expect((await runCommand(app, ['episode', 'publish', episode.id])).said).toMatch(said);
    expect((await set('transcript=t.vtt', 'publish_transcript=true')).said).toBe('');
    expect((await set('transcript=', 'publish_transcript=false')).said).toBe('');
  });

  it('clears fields with null or an empty value', async () => {
    await addPerson(app.ctx, { podcastId: podcast.id, name: 'Ana' });
    await set('audio=1.mp3', 'artwork=cover.png', 'transcript=t.vtt', 'chapters=c.json');
    await set('people=Ana', 'transcript={"file":"t.vtt","language":"de"}');
    expect(await readPublic()).toMatchObject({ transcript: { language: 'de' } });
    const emptied = await set('audio=null', 'artwork=', 'transcript=', 'chapters=null', 'people=');
    const nothing = { audio: null, artwork: null, transcript: null, chapters: null, people: [] };
    expect(emptied.json).toMatchObject(nothing);
    expect(await readPublic()).toMatchObject({
      audio: { url: null },
      transcript: null,
      chapters_url: null,
    });
    expect(await readFeed()).not.toContain(episode.id);
    expect((await get(`/transcripts/${episode.id}.vtt`)).statusCode).toBe(404);
  });

  it('sets display names for the feed', async () => {
    const { code, json } = await set(
      'audio=1.mp3',
      'itunes_title=Light',
      'season=2',
      'season_name=The <second>',
      'episode=7',
      'episode_display=VII',
      'itunes_block=true',
    );
    expect(code).toBe(0);
    const fields = {
      itunes_title: 'Light',
      season_name: 'The <second>',
      episode_display: 'VII',
      itunes_block: true,
    };
    expect(json).toMatchObject(fields);
    expect((await runCommand(app, ['episode', 'show', episode.id])).json).toEqual(json);
    const feed = await readFeed();
    expect(feed).toContain('<itunes:title>Light</itunes:title>');
    expect(feed).toContain('<podcast:season name="The &lt;second&gt;">2</podcast:season>');
    expect(feed).toContain('<podcast:episode display="VII">7</podcast:episode>');
    expect(feed).toContain('<itunes:block>Yes</itunes:block>');

    const long = 'x'.repeat(129);
    const refused = await set(`season_name=${long}`, `episode_display=${long}`, 'itunes_title= ');
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.said).toMatch(/season_name: .*episode_display: .*itunes_title: /s);
    await set('itunes_title=', 'season_name=', 'episode_display=null', 'itunes_block=false');
    expect(await readFeed()).not.toMatch(/Light|second|VII|itunes:block/);
  });

  it('lists the known fields, and where to change others', async () => {
    const refused = await set('source=x', 'mood=good');
    expect(refused).toMatchObject({
      code: 2,
      said: expect.stringMatching(
        /Unknown field source, mood\. The fields are slug, .*\nsource: Only an /s,
      ),
    });
  });

  it('stores no audio if another field is refused, and leaves replaced audio to the sweep', async () => {
    const files = () => readdir(join(app.config.dataDir, 'blobs', 'audio'));
    const other = await makeEpisode(app.ctx, podcast);
    await set('audio=1.mp3');
    const kept = await files();
    const refused = await set('audio=2.mp3', `slug=${other.slug}`);
    expect(refused).toMatchObject({ code: 1, said: expect.stringMatching(/has an episode/) });
    expect(await files()).toEqual(kept);
    expect(await readPublic()).toMatchObject({ audio: { duration_seconds: 1 } });
    await set('audio=2.mp3');
    const now = await files();
    expect(now).toHaveLength(kept.length + 1);
    expect(now).toEqual(expect.arrayContaining(kept));
    const { audio } = await readPublic();
    expect((await get(audio.url)).rawPayload.length).toBe(audio.size_bytes);
  });

  it('reports every problem at once', async () => {
    await writeFile(join(folder, 'noise.mp3'), 'nothing to hear');
    const refused = await set(
      'title=',
      'season=10000',
      'published_at=+1h',
      'people=Zoe',
      'audio=noise.mp3',
      'artwork=t.vtt',
      'transcript=nowhere.vtt',
      'chapters=noise.mp3',
    );
    expect(refused).toMatchObject({ code: 1, json: undefined });
    const named = [...refused.said.matchAll(/^ {2}([\w[\]]+): /gm)].map(([, field]) => field);
    expect(named.toSorted()).toEqual([
      'artwork',
      'audio',
      'chapters',
      'people[0]',
      'published_at',
      'season',
      'title',
      'transcript',
    ]);
    expect((await get(`/v1/episodes/${episode.id}`)).json().data.title).toBe('An episode');
  });

  it('publishes with audio in one step', async () => {
    const draft = await makeEpisode(app.ctx, podcast, { status: 'draft' });
    const argv = ['episode', 'set', draft.id, 'audio=1.mp3', 'status=published', 'season=2'];
    const { json } = await runCommand(app, argv, { cwd: folder });
    expect(json).toMatchObject({ status: 'published', season: 2 });
    expect(await readFeed()).toContain(`${draft.id}/f/`);
  });
});

describe('episode list', () => {
  // CLI-26
  it('lists newest first, over several pages, or by status', async () => {
    const made = [];
    for (let hour = 1; hour <= 201; hour += 1) {
      const publishedAt = new Date(app.clock.now().getTime() - hour * 3_600_000 - 3_600_000);
      made.push(await makeEpisode(app.ctx, podcast, { publishedAt }));
    }
    const list = async (...more: string[]) =>
      (await runCommand(app, ['episode', 'list', podcast.slug, ...more])).json.episodes;
    const all = await list();
    expect(all.map(({ id }: Episode) => id)).toEqual([episode, ...made].map(({ id }) => id));
    expect(await list('--status', 'draft')).toEqual([]);
    const { id, slug, title, publishedAt, createdAt } = episode;
    expect(all[0]).toEqual({
      ...{ id, slug, title, status: 'published', season: null, episode: 1, type: 'full' },
      published_at: publishedAt?.toISOString(),
      scheduled_for: null,
      created_at: createdAt.toISOString(),
      duration_seconds: null,
    });
    const draft = await makeEpisode(app.ctx, podcast, { status: 'draft' });
    expect((await list('--status', 'draft')).map(({ id }: Episode) => id)).toEqual([draft.id]);
    expect((await list())[0].id).toBe(draft.id);
  });
});

// CLI-27
describe('episode show', () => {
  it('episode show prints a draft as episode set does, and refuses an unknown id', async () => {
    const { id } = await makeEpisode(app.ctx, podcast, { status: 'draft' });
    const show = (ref: string) => runCommand(app, ['episode', 'show', ref]);
    const changed = await runCommand(app, ['episode', 'set', id, 'season=2']);
    expect(changed.json).toMatchObject({ id, status: 'draft', season: 2 });
    expect(await show(id)).toEqual({ code: 0, json: changed.json, said: '' });
    const unknown = await show(newId());
    expect(unknown).toMatchObject({ code: 1, json: undefined });
    expect(unknown.said).toMatch(/^[^\n]+\n$/);
  });
});
