import { afterAll, beforeAll, expect, it } from 'vitest';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import type { Episode } from '../../src/domain/publishing/episodes/index.ts';
import {
  changeSegments,
  findTranscript,
  parseTranscript,
  setFurtherTranscript,
  setTranscript,
} from '../../src/domain/publishing/transcripts/index.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import { makeEpisode, makePodcast } from '../make.ts';

let app: TestApp;
let episode: Episode;

beforeAll(async () => {
  app = await createTestApp();
  const show = await makePodcast(app.ctx, { slug: 'words' });
  episode = await makeEpisode(app.ctx, show, { slug: 'first', publishTranscript: true });
  await attachTone(app.ctx, episode.id, 5);
  const text = 'Ana: Welcome & hello.\n\nBo: Thanks.\n\nAna: Today we talk about bees.\n';
  await setTranscript(app.ctx, episode.id, { ...parseTranscript(text), language: 'en' });
  const german = parseTranscript('WEBVTT\n\n00:00.000 --> 00:01.000\nHallo.\n');
  await setFurtherTranscript(app.ctx, episode.id, { ...german, language: 'de' });
});
afterAll(() => app[Symbol.asyncDispose]());

const get = (url: string) => app.request({ method: 'GET', url });
const address = (end: string) => `/transcripts/${episode.id}${end}`;

it('transcripts without times are in the feed as text, and never as captions', async () => {
  const feed = (await get('/feeds/words.xml')).body;
  const tags = [...feed.matchAll(/<podcast:transcript url="([^"]*)" ([^>]*)\/>/g)];
  expect(tags.map(([, url, rest]) => [url?.replace('http://test.local', ''), rest])).toEqual([
    [address('.html'), 'type="text/html" language="en"'],
    [address('.de.vtt'), 'type="text/vtt" language="de"'],
    [address('.de.srt'), 'type="application/x-subrip" language="de" rel="captions"'],
    [address('.de.json'), 'type="application/json" language="de"'],
  ]);
});

it('transcripts without times have one file, of HTML', async () => {
  const file = await get(address('.html'));
  expect(file.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(file.body).toContain('<cite>Ana:</cite>\n<p>Welcome &amp; hello.</p>\n<cite>Bo:</cite>');
  expect(parseTranscript(file.body)).toMatchObject({ hasTimes: false, language: 'en' });
  for (const end of ['.vtt', '.srt', '.json', '.de.html']) {
    expect((await get(address(end))).statusCode, end).toBe(404);
  }
  expect((await get(address('.de.vtt'))).statusCode).toBe(200);
});

it('transcripts without times are named as HTML by the API, and shown on the page without times', async () => {
  const { data } = (await get(`/v1/episodes/${episode.id}`)).json();
  expect(data.transcript).toEqual({
    url: `http://test.local${address('.html')}`,
    content_type: 'text/html',
    language: 'en',
  });
  const page = (await get('/listen/words/first')).body;
  const said = page.slice(page.indexOf('id="transcript"'));
  expect(said).toContain('<b>Bo</b> <span>Thanks.</span>');
  expect(said).not.toContain('0:00');
  expect(said).toContain(address('.html'));
});

it('transcripts without times stay as they are when the audio is cut', async () => {
  const before = await findTranscript(app.ctx, episode.id);
  await changeSegments(app.ctx, episode.id, () => () => []);
  expect(await findTranscript(app.ctx, episode.id)).toEqual(before);
  expect(await findTranscript(app.ctx, episode.id, 'de')).toBeUndefined();
});
