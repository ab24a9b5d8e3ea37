import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertEpisodes } from '../../../bench/installation/fill-show.sql.ts';
import {
  attachExternalAudio,
  attachTone,
  makeTone,
} from '../../src/domain/publishing/audio/index.ts';
import {
  deleteEpisode,
  scheduleEpisode,
  unpublishEpisode,
  updateEpisode,
} from '../../src/domain/publishing/episodes/index.ts';
import {
  type Podcast,
  pausePodcast,
  suspendPodcast,
  updatePodcast,
} from '../../src/domain/publishing/podcasts/index.ts';
import {
  parseTranscript,
  removeTranscript,
  setChapters,
  setFurtherTranscript,
  setTranscript,
} from '../../src/domain/publishing/transcripts/index.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import { makeEpisode, makePodcast } from '../make.ts';

let app: TestApp;
let show: Podcast;
let url: string;
let bytes: Buffer;

beforeAll(async () => {
  app = await createTestApp();
  show = await makePodcast(app.ctx, { slug: 'files' });
  const episode = await makeEpisode(app.ctx, show, { slug: 'first' });
  await attachTone(app.ctx, episode.id, 3);
  bytes = Buffer.concat(await makeTone(3).toArray());
  url = `/media/${episode.id}/f/first.mp3`;
});
afterAll(() => app[Symbol.asyncDispose]());

const send = (path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.request({ method, url: path, headers });

describe('audio', () => {
  // COUNT-1, COUNT-2, REQ-26, STATE-14
  it('audio is sent whole, with every marker and without one', async () => {
    for (const path of [url, url.replace('/f/', '/p/'), url.replace('/f/', '/l/')]) {
      const response = await send(path);
      expect(response.statusCode).toBe(200);
      expect(response.rawPayload.equals(bytes)).toBe(true);
      expect(response.headers).toMatchObject({
        'content-type': 'audio/mpeg',
        'content-length': String(bytes.length),
        'accept-ranges': 'bytes',
        'cache-control': 'no-cache',
        etag: `"${createHash('sha256').update(bytes).digest('hex')}"`,
        'access-control-allow-origin': '*',
      });
    }
    expect((await send(url.replace('/f/', '/'))).statusCode).toBe(200);
    expect((await send(url.replace('/f/', '/x/'))).statusCode).toBe(404);
    expect((await send(url.replace('first', 'other'))).statusCode).toBe(404);
  });

  // COUNT-1, STATE-14
  it('redirects from replaced audio to the current one', async () => {
    for (const path of [url, url.replace('/f/', '/')]) {
      const response = await send(path.replace('.mp3', '.m4a'));
      expect([response.statusCode, response.headers['cache-control']]).toEqual([302, 'no-cache']);
      expect(response.headers['location']).toBe(`http://test.local${path}`);
    }
    for (const end of ['', '.', '.MP3', '.mp3.mp3', '.mp3/', '.not-a-type']) {
      expect((await send(url.replace('.mp3', end))).statusCode, end).toBe(404);
    }
  });

  it.each([
    ['bytes=0-1', 0, 1],
    ['bytes=100-199', 100, 199],
    ['bytes=-10', -10, undefined],
    ['bytes=500-', 500, undefined],
    ['bytes=500-999999999', 500, undefined],
  ])('serves %s', async (range, start, end) => {
    const response = await send(url, { range });
    const wanted = bytes.subarray(start, end === undefined ? undefined : end + 1);
    expect(response.statusCode).toBe(206);
    expect(response.rawPayload.equals(wanted)).toBe(true);
    expect(response.headers['content-length']).toBe(String(wanted.length));
    const first = start < 0 ? bytes.length + start : start;
    expect(response.headers['content-range']).toBe(
      `bytes ${first}-${first + wanted.length - 1}/${bytes.length}`,
    );
    const head = await send(url, { range }, 'HEAD');
    expect([head.statusCode, head.headers['content-length']]).toEqual([206, `${wanted.length}`]);
    expect(head.rawPayload).toHaveLength(0);
  });

  it('serves several ranges in one body of the stated length', async () => {
    const response = await send(url, { range: 'bytes=0-9,100-109' });
    expect(response.statusCode).toBe(206);
    expect(response.headers['content-type']).toMatch(/^multipart\/byteranges; boundary=/);
    expect(response.headers['content-length']).toBe(String(response.rawPayload.length));
    expect(response.rawPayload.includes(bytes.subarray(100, 110))).toBe(true);
  });

  it('refuses a range outside of the file, and ignores an invalid one', async () => {
    const outside = await send(url, { range: `bytes=${bytes.length}-` });
    expect(outside.statusCode).toBe(416);
    expect(outside.headers['content-range']).toBe(`bytes */${bytes.length}`);
    expect((await send(url, { range: 'lines=1-2' })).statusCode).toBe(200);
  });

  it('obeys conditional requests', async () => {
    const { etag, 'last-modified': modified } = (await send(url)).headers;
    const status = async (headers: Record<string, string>) => (await send(url, headers)).statusCode;
    expect(await status({ 'if-none-match': String(etag) })).toBe(304);
    expect(await status({ 'if-modified-since': String(modified) })).toBe(304);
    expect(await status({ 'if-match': '"other"' })).toBe(412);
    expect(await status({ range: 'bytes=0-1', 'if-range': String(etag) })).toBe(206);
    expect(await status({ range: 'bytes=0-1', 'if-range': '"other"' })).toBe(200);
  });

  // COUNT-4, FEED-6, IMPORT-8, PUB-19
  it('redirects to external audio, unless its address is secret', async () => {
    const attach = async (slug: string, source: string) => {
      const episode = await makeEpisode(app.ctx, show, { slug });
      const rest = { declaredType: 'audio/x-m4a', sizeBytes: 5, durationMs: 1000 };
      await attachExternalAudio(app.ctx, episode.id, { url: source, ...rest });
      const path = `/media/${episode.id}/f/${slug}.m4a`;
      const { audio } = (await send(`/v1/episodes/${episode.id}`)).json().data;
      return { answer: await send(path), audio };
    };
    const open = await attach('open', 'https://cdn.example.com/a.m4a?x=1');
    expect(open.answer.statusCode).toBe(302);
    expect(open.answer.headers['location']).toBe('https://cdn.example.com/a.m4a?x=1');
    expect(open.audio).toMatchObject({ content_type: 'audio/mp4', size_bytes: 5 });
    expect(open.audio.url).toMatch(/\/open\.m4a$/);
    const secret = await attach('secret', 'https://cdn.example.com/a.m4a?token=1');
    expect(secret.answer.statusCode).toBe(404);
    expect(secret.audio.url).toBeNull();
    const feed = (await send('/feeds/files.xml')).body;
    expect(feed).toContain('/open.m4a');
    expect(feed).not.toContain('secret.m4a');
    expect(feed).not.toContain('cdn.example.com');
  });

  // STATE-1, STATE-6
  it('obeys the visibility of its episode and show', async () => {
    const podcast = await makePodcast(app.ctx);
    const episode = await makeEpisode(app.ctx, podcast, { slug: 'x' });
    await attachTone(app.ctx, episode.id, 1);
    const path = `/media/${episode.id}/x.mp3`;
    const status = async () => (await send(path)).statusCode;
    expect(await status()).toBe(200);
    await unpublishEpisode(app.ctx, episode.id);
    expect(await status()).toBe(404);
    await scheduleEpisode(app.ctx, episode.id, new Date(app.clock.now().getTime() + 1000));
    expect(await status()).toBe(404);
    app.clock.advance(1000);
    expect(await status()).toBe(200);
    await pausePodcast(app.ctx, podcast.id);
    expect(await status()).toBe(200);
    await suspendPodcast(app.ctx, podcast.id);
    expect(await status()).toBe(403);
  });

  it('audio is gone with its episode', async () => {
    const episode = await makeEpisode(app.ctx, show, { slug: 'gone' });
    await attachTone(app.ctx, episode.id, 1);
    const { rows } = await app.database.pool.query(
      'select blob_key from audio_files where episode_id = $1',
      [episode.id],
    );
    const key: string = rows[0].blob_key;
    expect((await send(`/media/${episode.id}/gone.mp3`)).statusCode).toBe(200);
    await deleteEpisode(app.ctx, episode.id);
    expect((await send(`/media/${episode.id}/gone.mp3`)).statusCode).toBe(404);
    // Backups that are being made still need the file.
    expect(await app.ctx.blobs.stat(key)).toBeDefined();
  });

  it('audio is sent by nginx if that is set', async () => {
    await using other = await createTestApp({ X_ACCEL_REDIRECT: '/_blobs/' });
    const podcast = await makePodcast(other.ctx);
    const episode = await makeEpisode(other.ctx, podcast, { slug: 'x' });
    await attachTone(other.ctx, episode.id, 1);
    const response = await other.request({ method: 'GET', url: `/media/${episode.id}/x.mp3` });
    expect(response.headers['x-accel-redirect']).toMatch(/^\/_blobs\/audio\/[\w-]+\.mp3$/);
    expect(response.rawPayload).toHaveLength(0);
  });
});

describe('transcripts and chapters', () => {
  // COUNT-3, PUB-16
  it('transcripts and chapters are served only if they are published', async () => {
    const episode = await makeEpisode(app.ctx, show, { slug: 'words', publishTranscript: true });
    const silent = await makeEpisode(app.ctx, show, { slug: 'silent' });
    const vtt = 'WEBVTT\n\n00:00:01.000 --> 00:00:02.500\n<v Ana>Hello & <i>welcome</i>\n';
    for (const { id } of [episode, silent]) {
      await setTranscript(app.ctx, id, { ...parseTranscript(vtt), language: 'en' });
    }
    await setChapters(app.ctx, episode.id, [{ startMs: 0, title: 'Start' }]);
    const { transcript, chapters_url } = (await send(`/v1/episodes/${episode.id}`)).json().data;
    const here = (address: string) => address.replace('http://test.local', '');
    expect(transcript).toMatchObject({ content_type: 'text/vtt', language: 'en' });
    const text = await send(here(transcript.url));
    expect(text.headers['content-type']).toBe('text/vtt; charset=utf-8');
    expect(text.body).toContain('00:00:01.000 --> 00:00:02.500');
    expect((await send(`/transcripts/${episode.id}.srt`)).body).toContain('00:00:01,000');
    const json = (await send(`/transcripts/${episode.id}.json`)).json();
    expect(json.segments[0]).toMatchObject({ startTime: 1, endTime: 2.5, speaker: 'Ana' });
    const chapters = (await send(here(chapters_url))).json();
    expect(chapters.chapters).toEqual([{ startTime: 0, title: 'Start' }]);
    expect((await send(`/v1/episodes/${silent.id}`)).json().data.transcript).toBeNull();
    for (const path of [
      `/transcripts/${silent.id}.vtt`,
      `/transcripts/${episode.id}.txt`,
      '/transcripts/x.vtt',
      `/chapters/${silent.id}.json`,
    ]) {
      expect((await send(path)).statusCode, path).toBe(404);
    }
  });

  // REQ-26, STATE-14
  it('transcripts and chapters are served in further languages, each at its canonical address', async () => {
    const { id } = await makeEpisode(app.ctx, show, { slug: 'languages', publishTranscript: true });
    const said = (words: string) =>
      parseTranscript(`WEBVTT\n\n00:01.000 --> 00:02.000\n${words}\n`);
    await setTranscript(app.ctx, id, { ...said('Hello'), language: 'en' });
    await setFurtherTranscript(app.ctx, id, { ...said('Bom dia'), language: 'pt-BR' });
    const vtt = await send(`/transcripts/${id}.pt-BR.vtt`, { origin: 'https://a.example' });
    expect(vtt.headers).toMatchObject({
      'content-type': 'text/vtt; charset=utf-8',
      'access-control-allow-origin': '*',
    });
    expect(vtt.body).toMatch(/^WEBVTT\nLanguage: pt-BR\n[\s\S]*Bom dia/);
    expect((await send(`/transcripts/${id}.pt-BR.srt`)).body).toContain('Bom dia');
    const { segments } = (await send(`/transcripts/${id}.pt-BR.json`)).json();
    expect(segments).toMatchObject([{ body: 'Bom dia' }]);
    expect((await send(`/transcripts/${id}.vtt`)).body).toContain('Hello');
    // The first has its own address already.
    for (const name of ['pt-br.vtt', 'pt_BR.vtt', 'PT-BR.vtt', 'en.vtt', 'de.vtt', 'pt-BR.txt']) {
      expect((await send(`/transcripts/${id}.${name}`)).statusCode, name).toBe(404);
    }
    await updateEpisode(app.ctx, id, { publishTranscript: false });
    expect((await send(`/transcripts/${id}.pt-BR.vtt`)).statusCode).toBe(404);
    await updateEpisode(app.ctx, id, { publishTranscript: true });
    expect((await send(`/transcripts/${id}.pt-BR.vtt`)).statusCode).toBe(200);
    await removeTranscript(app.ctx, id);
    expect((await send(`/transcripts/${id}.pt-BR.vtt`)).statusCode).toBe(404);
  });

  it('transcripts and chapters in further languages are served only while the episode is public', async () => {
    const podcast = await makePodcast(app.ctx, { slug: 'gone' });
    const { id } = await makeEpisode(app.ctx, podcast, { publishTranscript: true });
    const said = parseTranscript('WEBVTT\n\n00:01.000 --> 00:02.000\nHallo\n');
    await setTranscript(app.ctx, id, { ...said, language: 'en' });
    await setFurtherTranscript(app.ctx, id, { ...said, language: 'de' });
    const path = `/transcripts/${id}.de.vtt`;
    expect((await send(path)).statusCode).toBe(200);
    await unpublishEpisode(app.ctx, id);
    expect((await send(path)).statusCode).toBe(404);
  });
});

describe('feeds', () => {
  // FEED-2, FEED-6, REQ-24, STATE-7
  it('feeds change their ETag with their content, and at the second of a publication', async () => {
    const podcast = await makePodcast(app.ctx, { title: 'Feed & Co' });
    const path = `/feeds/${podcast.slug}.xml`;
    const at = new Date(app.clock.now().getTime() + 1000);
    const next = await makeEpisode(app.ctx, podcast, { status: 'scheduled', scheduledFor: at });
    await attachTone(app.ctx, next.id, 1);
    const before = await send(path);
    expect(before.headers['content-type']).toBe('application/rss+xml; charset=utf-8');
    expect(before.body).toContain('<title>Feed &amp; Co</title>');
    expect(before.body).not.toContain('<item>');
    const known = { 'if-none-match': String(before.headers['etag']) };
    expect((await send(path, known)).statusCode).toBe(304);
    app.clock.set(at);
    const after = await send(path, known);
    expect(after.statusCode).toBe(200);
    expect(after.body).toContain(`/media/${next.id}/f/`);
    await updatePodcast(app.ctx, podcast.id, { title: 'Renamed' });
    expect((await send(path, known)).body).toContain('Renamed');
  });

  // FEED-1, STATE-1, STATE-2, STATE-3
  it('feeds follow the table of statuses', async () => {
    const podcast = await makePodcast(app.ctx);
    const before = await makeEpisode(app.ctx, podcast);
    await attachTone(app.ctx, before.id, 1);
    const path = `/feeds/${podcast.slug}.xml`;
    await pausePodcast(app.ctx, podcast.id);
    app.clock.advance(1000);
    const during = await makeEpisode(app.ctx, podcast);
    await attachTone(app.ctx, during.id, 1);
    const frozen = await send(path);
    expect(frozen.body).toContain(before.id);
    expect(frozen.body).not.toContain(during.id);
    const newFeedUrl = 'https://elsewhere.example.com/feed.xml';
    const moved = await makePodcast(app.ctx, { status: 'moved', newFeedUrl });
    const gone = await send(`/feeds/${moved.slug}.xml`);
    expect([gone.statusCode, gone.headers['location']]).toEqual([301, newFeedUrl]);
    const draft = await makePodcast(app.ctx, { status: 'draft' });
    expect((await send(`/feeds/${draft.slug}.xml`)).statusCode).toBe(404);
    await suspendPodcast(app.ctx, podcast.id);
    expect((await send(path)).statusCode).toBe(200);
  });

  it('feeds of more than 5,000 items go on at the link of each page', async () => {
    const { id, slug } = await makePodcast(app.ctx);
    const all = { podcastId: id, from: 1, to: 5_002, count: 5_002, notes: ['<p>Short.</p>'] };
    await insertEpisodes(app.ctx.db, all);
    // Their dates are the database's.
    app.clock.advance(Math.max(0, Date.now() - app.clock.now().getTime()));
    const guids: unknown[] = [];
    let path: string | undefined = `/feeds/${slug}.xml`;
    const found: number[] = [];
    while (path !== undefined) {
      const response = await send(path);
      expect(response.statusCode).toBe(200);
      const items = [...response.body.matchAll(/<guid[^>]*>([^<]+)</g)].map(([, guid]) => guid);
      guids.push(...items);
      found.push(items.length);
      path = /rel="next" href="http:\/\/test\.local([^"]+)"/.exec(response.body)?.[1];
      if (path !== undefined) {
        const forged = path.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
        expect((await send(forged)).statusCode).toBe(400);
        expect((await send(path.replace(slug, 'other'))).statusCode).toBe(404);
      }
    }
    expect(found).toEqual([5_000, 2]);
    expect(new Set(guids).size).toBe(5_002);
  });

  // STATE-13
  it('feeds redirect from an old slug to the current one', async () => {
    const podcast = await makePodcast(app.ctx, { slug: 'feed-old' });
    await updatePodcast(app.ctx, podcast.id, { slug: 'feed-new' });
    const response = await send('/feeds/feed-old.xml');
    expect(response.statusCode).toBe(301);
    expect(response.headers['location']).toBe('http://test.local/feeds/feed-new.xml');
    expect((await send('/feeds/feed-new.xml?cursor=forged')).statusCode).toBe(400);
  });
});
