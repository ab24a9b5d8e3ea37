import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/create-test-app.ts';
import { makeEpisode, makePodcast } from '../../../../test/make.ts';
import { attachTone } from '../../../domain/publishing/audio/index.ts';
import {
  type Episode,
  unpublishEpisode,
  updateEpisode,
} from '../../../domain/publishing/episodes/index.ts';
import {
  type Podcast,
  pausePodcast,
  resumePodcast,
  suspendPodcast,
  updatePodcast,
} from '../../../domain/publishing/podcasts/index.ts';
import { setChapters, setTranscript } from '../../../domain/publishing/transcripts/index.ts';

let app: TestApp;
let show: Podcast;
let episode: Episode;

beforeAll(async () => {
  app = await createTestApp();
  show = await makePodcast(app.ctx, { slug: 'old-signals', title: 'Night <Signals>' });
  show = await updatePodcast(app.ctx, show.id, { slug: 'night-signals' });
  episode = await makeEpisode(app.ctx, show, { slug: 'first', publishTranscript: true });
  episode = await updateEpisode(app.ctx, episode.id, { slug: 'first-light' });
  await attachTone(app.ctx, episode.id, 2);
  await makeEpisode(app.ctx, show, { slug: 'unseen', status: 'draft' });
});
afterAll(() => app[Symbol.asyncDispose]());

const get = (url: string, headers: Record<string, string> = {}) =>
  app.request({ method: 'GET', url, headers });
const base = 'http://test.local';

describe('a cached page', () => {
  // PAGE-31
  it('a cached page of an episode has new, renamed and hidden episodes at once', async () => {
    const own = await makePodcast(app.ctx, { slug: 'neighbours' });
    const at = (ms: number) => new Date(app.clock.now().getTime() - 3_600_000 + ms);
    const make = (slug: string, ms: number) =>
      makeEpisode(app.ctx, own, { slug, title: slug, publishedAt: at(ms) });
    await make('one', 0);
    const links = async () => {
      const { body } = await get('/listen/neighbours/one');
      return [...body.matchAll(/class="name" href="[^"]+\/([^"]+)">([^<]+)/g)].map(
        ([, slug, title]) => `${slug} ${title}`,
      );
    };
    expect(await links()).toEqual([]);
    const two = await make('two', 1000);
    expect(await links()).toEqual(['two two']);
    await updateEpisode(app.ctx, two.id, { title: 'New' });
    expect(await links()).toEqual(['two New']);
    await unpublishEpisode(app.ctx, two.id);
    expect(await links()).toEqual([]);
  });
});

describe('GET /listen/{slug}', () => {
  // PAGE-6
  it('GET /listen/{slug} is the page of the show', async () => {
    const response = await get('/listen/night-signals');
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'public, max-age=60',
      'referrer-policy': 'strict-origin-when-cross-origin',
    });
    expect(response.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
    expect(response.body).toContain('<h1 class="title" dir="auto">Night &lt;Signals&gt;</h1>');
    expect(response.body).toContain(`${base}/listen/night-signals/first-light`);
    expect(response.body).not.toContain('unseen');
  });

  // PAGE-29
  it('the page of a show says how often it is released as soon as its makers have said so', async () => {
    const own = await makePodcast(app.ctx, { slug: 'regular' });
    const body = async () => (await get('/listen/regular')).body;
    expect(await body()).not.toContain('Every Monday');
    await updatePodcast(app.ctx, own.id, { updateFrequency: [{ text: 'Every Monday' }] });
    expect(await body()).toContain('<bdi>Every Monday</bdi>');
    await updatePodcast(app.ctx, own.id, { complete: true });
    expect(await body()).toContain('Series complete');
  });

  it('GET /listen/{slug} is served from the fast path next time, with its policy', async () => {
    const address = await app.http.server.listen({ port: 0, host: '127.0.0.1' });
    const url = `${address}/listen/night-signals`;
    const first = await fetch(url);
    const again = await fetch(url);
    expect(await again.text()).toBe(await first.text());
    for (const name of ['content-security-policy', 'referrer-policy', 'content-type', 'etag']) {
      expect(again.headers.get(name), name).toBe(first.headers.get(name));
      expect(again.headers.get(name), name).not.toBeNull();
    }
    const etag = again.headers.get('etag') ?? '';
    expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304);
    const head = await fetch(url, { method: 'HEAD' });
    expect(head.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await head.text()).toBe('');
  });

  // STATE-13, STATE-14
  it.each([
    ['/listen/old-signals', '/listen/night-signals'],
    ['/listen/night-signals/', '/listen/night-signals'],
    ['/listen/old-signals/', '/listen/night-signals'],
    ['/listen/old-signals/first', '/listen/night-signals/first-light'],
    ['/listen/old-signals/first-light', '/listen/night-signals/first-light'],
    ['/listen/night-signals/first', '/listen/night-signals/first-light'],
    ['/listen/night-signals/first-light/', '/listen/night-signals/first-light'],
    ['/listen/old-signals/first/', '/listen/night-signals/first-light'],
  ])('redirects from %s to %s', async (old, current) => {
    const response = await get(old);
    expect(response.statusCode).toBe(301);
    expect(response.headers.location).toBe(base + current);
  });

  it.each([
    '/listen/unknown',
    '/listen/unknown/',
    '/listen/Night-Signals',
    '/listen/night--signals',
    '/listen/',
    '/listen/night-signals/unknown',
    '/listen/night-signals/unseen',
    '/listen/night-signals/unseen/',
    '/listen/old-signals/unseen',
    '/listen/old-signals/unknown',
    '/listen/night-signals/First-Light',
    '/listen/night-signals/first-light/more',
  ])('finds nothing at %s', async (url) => {
    const response = await get(url);
    expect(response.statusCode).toBe(404);
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.headers['content-security-policy']).toContain("default-src 'none'");
    expect(response.body).toContain(String(response.headers['x-request-id']));
    expect(response.body).not.toContain('<script');
  });

  it('paginates episodes, each once', async () => {
    const many = await makePodcast(app.ctx, { title: 'Many' });
    for (let number = 0; number < 31; number += 1) {
      await makeEpisode(app.ctx, many, { slug: `number-${number}` });
    }
    const first = await get(`/listen/${many.slug}`);
    const next = /rel="next" href="http:\/\/test\.local([^"]+)"/.exec(first.body)?.[1] ?? '';
    const second = await get(next);
    expect(second.statusCode).toBe(200);
    expect(second.body).not.toContain('rel="next"');
    const seen = [first, second].flatMap(({ body }) =>
      [...body.matchAll(/<h3[^>]*><a class="name" href="[^"]*\/(number-\d+)"/g)].map(([, s]) => s),
    );
    expect(seen).toHaveLength(31);
    expect(new Set(seen).size).toBe(31);
    const elsewhere = await get(next.replace(many.slug, 'night-signals'));
    expect(elsewhere.statusCode).toBe(400);
    expect(elsewhere.headers['content-type']).toBe('text/html; charset=utf-8');
  });

  it('shows a change at once', async () => {
    const changing = await makePodcast(app.ctx, { title: 'Before' });
    expect((await get(`/listen/${changing.slug}`)).body).toContain('Before');
    await updatePodcast(app.ctx, changing.id, { title: 'After' });
    expect((await get(`/listen/${changing.slug}`)).body).toContain('After');
  });
});

describe('GET /listen/{slug}/{episode}', () => {
  // COUNT-2, PAGE-6
  it('GET /listen/{slug}/{episode} is the page of the episode, with chapters and transcript', async () => {
    await setChapters(app.ctx, episode.id, [{ startMs: 1000, title: 'Second one' }]);
    const segments = [{ startMs: 0, endMs: 900, speaker: 'Ana', text: 'Good evening.' }];
    const transcript = { language: 'en', segments, wordCount: 2, durationMs: 900 };
    await setTranscript(app.ctx, episode.id, transcript);
    const { body, statusCode } = await get('/listen/night-signals/first-light');
    expect(statusCode).toBe(200);
    expect(body).toContain('Second one');
    expect(body).toContain('Good evening.');
    expect(body).toContain(`src="${base}/media/${episode.id}/l/`);
  });

  it('GET /listen/{slug}/{episode} has audio that can be fetched', async () => {
    const { body } = await get('/listen/night-signals/first-light');
    const src = /<audio[^>]* src="http:\/\/test\.local([^"]+)"/.exec(body)?.[1] ?? '';
    const audio = await get(src, { range: 'bytes=0-99' });
    expect(audio.statusCode).toBe(206);
    expect(audio.headers['content-type']).toBe('audio/mpeg');
  });

  it('hides an unpublished transcript', async () => {
    await updateEpisode(app.ctx, episode.id, { publishTranscript: false });
    const { body } = await get('/listen/night-signals/first-light');
    expect(body).not.toContain('Good evening.');
  });

  // STATE-6
  it('disappears when unpublished, with its old addresses', async () => {
    const short = await makeEpisode(app.ctx, show, { slug: 'short' });
    await updateEpisode(app.ctx, short.id, { slug: 'shorter' });
    expect((await get('/listen/night-signals/shorter')).statusCode).toBe(200);
    await unpublishEpisode(app.ctx, short.id);
    expect((await get('/listen/night-signals/shorter')).statusCode).toBe(404);
    expect((await get('/listen/night-signals/short')).statusCode).toBe(404);
  });

  // STATE-7
  it('appears at its scheduled second', async () => {
    const at = new Date(app.clock.now().getTime() + 60_000);
    await makeEpisode(app.ctx, show, { slug: 'soon', status: 'scheduled', scheduledFor: at });
    expect((await get('/listen/night-signals/soon')).statusCode).toBe(404);
    expect((await get('/listen/night-signals')).body).not.toContain('/soon"');
    app.clock.set(at);
    expect((await get('/listen/night-signals/soon')).statusCode).toBe(200);
    expect((await get('/listen/night-signals')).body).toContain('/soon"');
  });
});

describe('a show that is not public', () => {
  // STATE-1
  it('a show that is not public is not found while it is paused, at any address', async () => {
    await pausePodcast(app.ctx, show.id);
    for (const url of ['', '/', '/first-light', '/first']) {
      expect((await get(`/listen/night-signals${url}`)).statusCode, url).toBe(404);
      expect((await get(`/listen/old-signals${url}`)).statusCode, url).toBe(404);
    }
    await resumePodcast(app.ctx, show.id);
    expect((await get('/listen/night-signals')).statusCode).toBe(200);
  });

  it('a show that is not public has error pages in its own language, which do not reveal hidden shows', async () => {
    const german = await makePodcast(app.ctx, { language: 'de', title: 'Nachtsignale' });
    const french = { 'accept-language': 'fr' };
    const read = async (url: string) => (await get(url, french)).body;
    expect(await read(`/listen/${german.slug}/nichts`)).toContain('Seite nicht gefunden');
    expect(await read(`/latest/${german.slug}`)).toContain('Noch keine Folgen');
    await suspendPodcast(app.ctx, german.id);
    expect(await read(`/listen/${german.slug}`)).toContain(
      '„Nachtsignale“ ist zurzeit nicht verfügbar',
    );
    await resumePodcast(app.ctx, german.id);
    await pausePodcast(app.ctx, german.id);
    for (const url of [`/listen/${german.slug}`, `/latest/${german.slug}`]) {
      expect(await read(url), url).toContain('„Nachtsignale“ macht eine Pause');
    }
    for (const url of [`/listen/${german.slug}/nichts`, '/listen/unknown']) {
      const body = await read(url);
      expect(body, url).toContain('Page introuvable');
      expect(body, url).not.toContain('Nachtsignale');
    }
    expect(await read('/app/assets/unknown')).toContain('Page introuvable');
  });

  // PAGE-7, STATE-1
  it('a show that is not public is withheld while it is suspended; hidden episodes stay hidden', async () => {
    await suspendPodcast(app.ctx, show.id);
    for (const url of ['', '/first-light', '/first', '/first-light/']) {
      const response = await get(`/listen/night-signals${url}`);
      expect(response.statusCode, url).toBe(403);
      expect(response.headers['cache-control']).toBe('no-store');
      expect(response.body).toContain('Night &lt;Signals&gt; is not available right now');
    }
    for (const url of ['/unseen', '/unknown', '/unseen/']) {
      expect((await get(`/listen/night-signals${url}`)).statusCode, url).toBe(404);
    }
    await resumePodcast(app.ctx, show.id);
  });
});

describe('pages of the installation', () => {
  // PAGE-10
  it.each([
    ['/', 'text/html; charset=utf-8', 'Podcast hosting'],
    ['/docs', 'text/html; charset=utf-8', '/v1/podcasts/{slug}'],
    ['/docs/errors', 'text/html; charset=utf-8', 'id="rate_limited"'],
    ['/docs/changelog', 'text/html; charset=utf-8', 'First release'],
    ['/robots.txt', 'text/plain; charset=utf-8', 'Disallow: /app'],
    ['/favicon.svg', 'image/svg+xml', '<svg'],
    ['/favicon.ico', 'image/png', 'PNG'],
  ])('%s', async (url, contentType, content) => {
    const response = await get(url);
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe(contentType);
    expect(response.body).toContain(content);
    const etag = String(response.headers.etag);
    expect((await get(url, { 'if-none-match': etag })).statusCode).toBe(304);
  });

  it('lists no show on the home page', async () => {
    expect((await get('/')).body).not.toMatch(/listen\/|signals/);
  });

  it('the installation has error pages for people', async () => {
    const response = await app.request({ method: 'POST', url: '/docs' });
    expect(response.statusCode).toBe(405);
    expect(response.headers.allow).toBe('GET, HEAD, OPTIONS');
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
  });
});
