import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import { drawWaveforms } from '../../src/domain/publishing/audio/waveforms/draw-waveforms.ts';
import type { Episode } from '../../src/domain/publishing/episodes/index.ts';
import {
  type Podcast,
  pausePodcast,
  resumePodcast,
  suspendPodcast,
  updatePodcast,
} from '../../src/domain/publishing/podcasts/index.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import { makeEpisode, makePodcast } from '../make.ts';

let app: TestApp;
let show: Podcast;
let episode: Episode;

beforeAll(async () => {
  app = await createTestApp();
});
beforeEach(async () => {
  show = await makePodcast(app.ctx);
  episode = await makeEpisode(app.ctx, show, { slug: 'first' });
  await attachTone(app.ctx, episode.id, 3);
});
afterAll(() => app[Symbol.asyncDispose]());

const get = (url: string, headers: Record<string, string> = {}) =>
  app.request({ method: 'GET', url, headers });
const draw = () => drawWaveforms(app.ctx, new AbortController().signal);
const waveformUrl = async (path = `/v1/episodes/${episode.id}`) =>
  (await get(path)).json().data.audio.waveform_url;

it('a waveform is in the episode’s payload once it is computed', async () => {
  // New audio, because another test may have computed the waveform of the same audio.
  await attachTone(app.ctx, episode.id, 2);
  const episodes = `/v1/podcasts/${show.slug}/episodes`;
  const paths = [`${episodes}/first`, `${episodes}/latest`];
  for (const path of paths) expect(await waveformUrl(path)).toBeNull();
  expect((await get(`/waveforms/${episode.id}.json`)).statusCode).toBe(404);
  await draw();
  const url = `http://test.local/waveforms/${episode.id}.json`;
  for (const path of paths) expect(await waveformUrl(path)).toBe(url);
  expect(await waveformUrl()).toBe(url);
  const [listed] = (await get(episodes)).json().data;
  expect(listed.audio).not.toHaveProperty('waveform_url');
});

it('a waveform is computed if replaced audio without one is restored', async () => {
  await attachTone(app.ctx, episode.id, 4);
  await attachTone(app.ctx, episode.id, 5);
  await draw();
  await attachTone(app.ctx, episode.id, 4);
  await draw();
  expect(await waveformUrl()).not.toBeNull();
});

it('a waveform is a separate file, cached like the others', async () => {
  await draw();
  const response = await get(`/waveforms/${episode.id}.json`);
  expect(response.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'public, max-age=60',
    'access-control-allow-origin': '*',
  });
  const { version, duration_seconds, peaks } = response.json();
  expect([version, duration_seconds, peaks.length]).toEqual([1, 3, 60]);
  expect(Math.max(...peaks)).toBe(255);
  const known = { 'if-none-match': String(response.headers['etag']) };
  expect((await get(`/waveforms/${episode.id}.json`, known)).statusCode).toBe(304);
});

it('a waveform is 404 for unknown episodes, missing audio and invalid audio', async () => {
  const silent = await makeEpisode(app.ctx, show, { slug: 'silent' });
  for (const name of [`${silent.id}.json`, `${episode.id}.txt`, `${episode.id}`, 'x.json', '%20']) {
    expect((await get(`/waveforms/${name}`)).statusCode, name).toBe(404);
  }
  expect(await waveformUrl(`/v1/episodes/${silent.id}`)).toBeNull();
});

it('a waveform is not offered if the show has switched it off', async () => {
  await draw();
  await updatePodcast(app.ctx, show.id, { playerWaveform: false });
  expect(await waveformUrl()).toBeNull();
  await updatePodcast(app.ctx, show.id, { playerWaveform: true });
  expect(await waveformUrl()).not.toBeNull();
});

it('a waveform is visible exactly if the audio is', async () => {
  await draw();
  const status = async () => (await get(`/waveforms/${episode.id}.json`)).statusCode;
  const draft = await makeEpisode(app.ctx, show, { status: 'draft' });
  await attachTone(app.ctx, draft.id, 3);
  expect((await get(`/waveforms/${draft.id}.json`)).statusCode).toBe(404);
  await pausePodcast(app.ctx, show.id);
  expect(await status()).toBe(200);
  await resumePodcast(app.ctx, show.id);
  await suspendPodcast(app.ctx, show.id);
  expect(await status()).toBe(403);
});
