import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  pausePodcast,
  suspendPodcast,
  updatePodcast,
} from '../../src/domain/publishing/podcasts/index.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import { makeEpisode, makePodcast } from '../make.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  const podcast = await makePodcast(app.ctx, {
    slug: 'embed',
    title: 'A "show" <b>',
    author: 'Ana',
  });
  await makeEpisode(app.ctx, podcast, { slug: 'one', title: 'One & only' });
  await makeEpisode(app.ctx, podcast, { slug: 'hidden', status: 'draft' });
});
afterAll(() => app[Symbol.asyncDispose]());

const ask = (url: string | undefined, more = '') => {
  const query = url === undefined ? '' : `url=${encodeURIComponent(url)}`;
  return app.request({ method: 'GET', url: `/v1/oembed?${query}${more}` });
};
const page = 'http://test.local/listen/embed/one';

describe('GET /v1/oembed', () => {
  // PUB-25, PUB-26, PUB-28
  it('describes the player of an episode', async () => {
    const response = await ask(page);
    expect(response.statusCode).toBe(200);
    const { html, ...rest } = response.json();
    expect(rest).toEqual({
      type: 'rich',
      version: '1.0',
      title: 'One & only',
      author_name: 'Ana',
      provider_name: 'Podstead',
      provider_url: 'http://test.local',
      documentation: 'http://test.local/docs',
      cache_age: 3600,
      width: 600,
      height: 180,
    });
    expect(html).toMatch(/^<iframe [^<>]*><\/iframe>$/);
    expect(html).toContain('title="One &amp; only"');
    expect(html).toMatch(/ src="http:\/\/test\.local\/ep\/[0-9a-f-]{36}"/);
  });

  // PUB-24, PUB-28
  it('describes the player of a show, with its texts escaped', async () => {
    const { html } = (await ask('https://test.local/listen/embed/?utm=1')).json();
    expect(html).toContain('src="http://test.local/latest/embed"');
    expect(html).toContain('title="A &quot;show&quot; &lt;b&gt;"');
  });

  // PUB-26, PUB-27
  it('obeys maxwidth and maxheight', async () => {
    const size = async (more: string) => {
      const { width, height, html } = (await ask(page, more)).json();
      expect(html).toContain(`width="${width}" height="${height}"`);
      return [width, height, html.includes('layout=compact')];
    };
    expect(await size('&maxwidth=320')).toEqual([320, 180, false]);
    expect(await size('&maxwidth=9999&maxheight=9999')).toEqual([600, 180, false]);
    expect(await size('&maxheight=120')).toEqual([600, 120, true]);
    expect(await size(`&maxwidth=${'9'.repeat(30)}`)).toEqual([600, 180, false]);
    expect(await size('&maxwidth=1&maxheight=1&dnt=1&format=json')).toEqual([1, 1, true]);
  });

  // PUB-26
  it.each([
    '&maxwidth=0',
    '&maxwidth=-5',
    '&maxheight=1.5',
    '&maxheight=x',
    '&format=json&format=json',
  ])('refuses %s', async (more) => {
    const response = await ask(page, more);
    expect(response.statusCode).toBe(400);
    expect(response.json().error.code).toBe('invalid_request');
  });

  // ERR-16, PUB-24, PUB-27
  it('refuses formats other than JSON, and requires an address', async () => {
    for (const format of ['xml', 'yaml', 'JSON', '']) {
      const other = await ask(page, `&format=${format}`);
      expect([other.statusCode, other.json().error.code]).toEqual([501, 'not_implemented']);
    }
    for (const url of [undefined, '']) {
      const response = await ask(url);
      expect([response.statusCode, response.json().error.details[0].field]).toEqual([400, 'url']);
    }
  });

  // PUB-24
  it.each([
    'http://elsewhere.example/listen/embed',
    'http://test.local/embed',
    'http://test.local/listen/unknown',
    'http://test.local/listen/embed/unknown',
    'http://test.local/listen/embed/hidden',
    'http://test.local/listen/embed/one/two',
    'http://test.local:81/listen/embed',
    'http://test.local@elsewhere.example/listen/embed',
    'ftp://test.local/listen/embed',
    'listen/embed',
  ])('GET /v1/oembed has no player for %j', async (url) => {
    expect((await ask(url)).statusCode).toBe(404);
  });

  // PUB-24, PUB-29, STATE-1
  it('accepts old slugs, and hides paused and suspended shows and drafts', async () => {
    const renamed = await makePodcast(app.ctx, { slug: 'embed-old' });
    await updatePodcast(app.ctx, renamed.id, { slug: 'embed-new' });
    const { html } = (await ask('http://test.local/listen/embed-old')).json();
    expect(html).toContain('/latest/embed-new"');
    const paused = await makePodcast(app.ctx);
    await pausePodcast(app.ctx, paused.id);
    const suspended = await makePodcast(app.ctx);
    await suspendPodcast(app.ctx, suspended.id);
    for (const { slug } of [paused, suspended]) {
      expect((await ask(`http://test.local/listen/${slug}`)).statusCode).toBe(404);
    }
  });
});
