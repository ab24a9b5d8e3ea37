import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/create-test-app.ts';
import { makeEpisode, makePodcast } from '../../../test/make.ts';
import { attachTone } from '../../domain/publishing/audio/index.ts';
import type { Episode } from '../../domain/publishing/episodes/index.ts';
import {
  type Podcast,
  pausePodcast,
  resumePodcast,
  suspendPodcast,
  updatePodcast,
} from '../../domain/publishing/podcasts/index.ts';

let app: TestApp;
let show: Podcast;
let episode: Episode;
let hidden: Episode;

beforeAll(async () => {
  app = await createTestApp({ EMBED_URL: 'http://play.local' });
  show = await makePodcast(app.ctx, { slug: 'old-signals', title: 'Night Signals' });
  show = await updatePodcast(app.ctx, show.id, { slug: 'night-signals' });
  episode = await makeEpisode(app.ctx, show, { slug: 'first-light', title: 'First light' });
  await attachTone(app.ctx, episode.id, 2);
  hidden = await makeEpisode(app.ctx, show, { slug: 'hidden', status: 'draft' });
});
beforeEach(() => app.clock.reset());
afterAll(() => app[Symbol.asyncDispose]());

const get = (url: string) => app.request({ method: 'GET', url });
const unknownId = '00000000-0000-7000-8000-000000000000';

describe('GET /ep/{episodeId}', () => {
  // COUNT-2, PAGE-3, PAGE-5, REQ-26
  it('GET /ep/{episodeId} is a player for any frame', async () => {
    const response = await get(`/ep/${episode.id}`);
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'public, max-age=60',
      'access-control-allow-origin': '*',
    });
    const policy = String(response.headers['content-security-policy']);
    expect(policy).not.toContain('frame-ancestors');
    expect(policy).toContain("media-src 'self' http://test.local https:");
    expect(response.headers['set-cookie']).toBeUndefined();
    expect(response.body).toContain(`src="http://test.local/media/${episode.id}/p/`);
  });

  // REQ-3
  it('accepts the UUID in either case, and a layout', async () => {
    const upper = await get(`/ep/${episode.id.toUpperCase()}`);
    expect(upper.body).toBe((await get(`/ep/${episode.id}`)).body);
    expect((await get(`/ep/${episode.id}?layout=compact`)).body).toContain('class="compact"');
    expect((await get(`/ep/${episode.id}?layout=a&layout=b&x=1`)).body).toContain('class="full"');
  });

  it('shows a small error page for an unknown, hidden or malformed episode', async () => {
    for (const id of [unknownId, hidden.id, 'first-light', '%20', `${episode.id}x`]) {
      const response = await get(`/ep/${id}`);
      expect(response.statusCode, id).toBe(404);
      expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(response.headers['content-security-policy']).not.toContain('frame-ancestors');
      expect(response.body).toContain('class="framed"');
    }
  });
});

describe('GET /latest/{podcastSlug}', () => {
  // PAGE-3
  it('GET /latest/{podcastSlug} is the newest episode, by slug or UUID', async () => {
    const response = await get('/latest/night-signals');
    expect(response.statusCode).toBe(200);
    expect(response.body).toContain('First light');
    expect((await get(`/latest/${show.id}`)).body).toBe(response.body);
  });

  // STATE-7
  it('changes at the second of the next publication', async () => {
    const at = new Date(app.clock.now().getTime() + 60_000);
    const next = { slug: 'next', title: 'Next in line' };
    const { id } = await makeEpisode(app.ctx, show, {
      ...next,
      status: 'scheduled',
      scheduledFor: at,
    });
    await attachTone(app.ctx, id, 2);
    expect((await get('/latest/night-signals')).body).not.toContain('Next in line');
    app.clock.set(at);
    expect((await get('/latest/night-signals')).body).toContain('Next in line');
  });

  // STATE-7
  it('GET /latest/{podcastSlug} changes at the publication of each of two scheduled episodes', async () => {
    const serial = await makePodcast(app.ctx, { slug: 'serial' });
    const inMinutes = (n: number) => new Date(app.clock.now().getTime() + n * 60_000);
    const times = [inMinutes(1), inMinutes(2)];
    for (const [n, scheduledFor] of times.entries()) {
      const scheduled = { status: 'scheduled', scheduledFor } as const;
      const { id } = await makeEpisode(app.ctx, serial, { ...scheduled, title: `Part ${n + 1}` });
      await attachTone(app.ctx, id, 2);
    }
    expect((await get('/latest/serial')).body).not.toContain('Part 1');
    for (const [n, time] of times.entries()) {
      app.clock.set(time);
      expect((await get('/latest/serial')).body).toContain(`Part ${n + 1}`);
    }
  });

  it('GET /latest/{podcastSlug} is the newest with audio', async () => {
    const silent = await makePodcast(app.ctx);
    const heard = await makeEpisode(app.ctx, silent, { title: 'With sound' });
    const later = new Date(app.clock.now().getTime() - 60_000);
    await makeEpisode(app.ctx, silent, { title: 'Only words', publishedAt: later });
    expect((await get(`/latest/${silent.slug}`)).body).toContain('Only words');
    await attachTone(app.ctx, heard.id, 2);
    const response = await get(`/latest/${silent.slug}`);
    expect(response.body).toContain('With sound');
    expect(response.body).not.toContain('Only words');
  });

  // STATE-13
  it('redirects from an old slug to the current one, with the layout', async () => {
    const response = await get('/latest/old-signals?layout=compact');
    expect(response.statusCode).toBe(301);
    expect(response.headers.location).toBe('http://play.local/latest/night-signals?layout=compact');
  });

  it('GET /latest/{podcastSlug} is missing for an unknown or malformed show', async () => {
    for (const ref of ['unknown', unknownId, 'Night']) {
      expect((await get(`/latest/${ref}`)).statusCode, ref).toBe(404);
    }
  });

  // PAGE-4, PUB-11
  it('names a show without public episodes, and plays its first episode once that is public', async () => {
    const empty = await makePodcast(app.ctx, { title: 'New <Show>' });
    await makeEpisode(app.ctx, empty, { status: 'draft', title: 'Only a draft' });
    for (const url of [`/latest/${empty.slug}`, `/latest/${empty.id}?layout=compact`]) {
      const response = await get(url);
      expect(response.statusCode, url).toBe(200);
      expect(response.body).toContain('New &lt;Show&gt;');
      expect(response.body).toContain('No episodes yet');
      expect(response.body).not.toContain('Only a draft');
    }
    expect((await get(`/v1/podcasts/${empty.slug}/episodes/latest`)).statusCode).toBe(404);
    await makeEpisode(app.ctx, empty, { title: 'The first' });
    expect((await get(`/latest/${empty.slug}`)).body).toContain('The first');
  });
});

describe('GET /ep/{episodeId}/code', () => {
  // PAGE-28
  it('GET /ep/{episodeId}/code is a page with the code of the player, which no site may frame', async () => {
    const response = await get(`/ep/${episode.id.toUpperCase()}/code?plays=newest&color=%23aa3300`);
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    const policy = String(response.headers['content-security-policy']);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self'");
    expect(response.body).toContain('http://play.local/latest/night-signals#color=aa3300');
  });

  it('GET /ep/{episodeId}/code is missing for an unknown, hidden or malformed episode', async () => {
    for (const id of [unknownId, hidden.id, 'first-light', `${episode.id}x`]) {
      expect((await get(`/ep/${id}/code`)).statusCode, id).toBe(404);
    }
  });
});

describe('players of a show that is not public', () => {
  const statuses = async () => {
    const urls = [
      `/ep/${episode.id}`,
      `/ep/${episode.id}/code`,
      '/latest/night-signals',
      '/latest/old-signals',
    ];
    return Promise.all(urls.map(async (url) => (await get(url)).statusCode));
  };

  // STATE-1
  it('players of a show that is not public are missing while it is paused', async () => {
    await pausePodcast(app.ctx, show.id);
    expect(await statuses()).toEqual([404, 404, 404, 404]);
    const { body, headers } = await get(`/ep/${episode.id}`);
    expect(body).toContain('is taking a break');
    // Frames of other sites show it where the player was.
    expect(headers['content-security-policy']).not.toContain('frame-ancestors');
    expect((await get(`/ep/${hidden.id}`)).body).not.toContain('is taking a break');
    await resumePodcast(app.ctx, show.id);
    expect(await statuses()).toEqual([200, 200, 200, 301]);
  });

  // PAGE-7, STATE-1
  it('players of a show that is not public are withheld while it is suspended; hidden episodes stay hidden', async () => {
    await suspendPodcast(app.ctx, show.id);
    expect(await statuses()).toEqual([403, 403, 403, 403]);
    expect((await get(`/ep/${hidden.id}`)).statusCode).toBe(404);
    await resumePodcast(app.ctx, show.id);
  });
});
