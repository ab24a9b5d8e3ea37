import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import { addPerson } from '../../src/domain/publishing/people/index.ts';
import { suspendPodcast } from '../../src/domain/publishing/podcasts/index.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import { expectDescribed } from '../expect-described.ts';
import { makeEpisode, makePodcast } from '../make.ts';

/** The API's responses match its description: statuses, headers, bodies. */
let app: TestApp;
let episodeId: string;

beforeAll(async () => {
  app = await createTestApp();
  const full = await makePodcast(app.ctx, {
    slug: 'full',
    previousSlugs: ['was-full'],
    subtitle: 'Sub',
    category: 'Science',
    brandColor: '#aa3300',
    websiteUrl: 'https://example.com/',
  });
  await addPerson(app.ctx, { podcastId: full.id, name: 'Bo', role: 'host' });
  const episode = await makeEpisode(app.ctx, full, { slug: 'one', showNotesHtml: '<p>x</p>' });
  await attachTone(app.ctx, episode.id, 1);
  await makeEpisode(app.ctx, full, { slug: 'two', season: 3, episodeType: 'bonus' });
  episodeId = episode.id;
  await makePodcast(app.ctx, { slug: 'bare' });
  const away = await makePodcast(app.ctx, { slug: 'away' });
  await makeEpisode(app.ctx, away, { slug: 'one' });
  await suspendPodcast(app.ctx, away.id);
});
afterAll(() => app[Symbol.asyncDispose]());

async function ask(url: string, headers: Record<string, string> = {}): Promise<number> {
  for (const method of ['HEAD', 'GET'] as const) {
    const response = await app.request({ method, url, headers });
    expectDescribed(method, url, response);
  }
  return (await app.request({ method: 'GET', url, headers })).statusCode;
}

const listen = encodeURIComponent('http://test.local/listen/full/one');

describe('responses match their description', () => {
  // ERR-1, ERR-17
  it.each([
    ['/v1/podcasts/full', 200],
    ['/v1/podcasts/bare', 200],
    ['/v1/podcasts/Full', 400],
    ['/v1/podcasts/none', 404],
    ['/v1/podcasts/away', 403],
    ['/v1/podcasts/full/episodes', 200],
    ['/v1/podcasts/full/episodes?limit=1', 200],
    ['/v1/podcasts/bare/episodes?season=3&type=bonus', 200],
    ['/v1/podcasts/full/episodes?limit=51&season=x', 400],
    ['/v1/podcasts/none/episodes', 404],
    ['/v1/podcasts/away/episodes', 403],
    ['/v1/podcasts/full/episodes/one', 200],
    ['/v1/podcasts/full/episodes/One', 400],
    ['/v1/podcasts/full/episodes/none', 404],
    ['/v1/podcasts/away/episodes/one', 403],
    ['/v1/podcasts/full/episodes/latest', 200],
    ['/v1/podcasts/bare/episodes/latest', 404],
    ['/v1/podcasts/FULL/episodes/latest', 400],
    ['/v1/episodes/x', 400],
    ['/v1/episodes/0197a3c4-0000-7000-8000-000000000000', 404],
    [`/v1/oembed?url=${listen}&maxheight=100`, 200],
    ['/v1/oembed', 400],
    ['/v1/oembed?url=http://elsewhere.example/', 404],
    [`/v1/oembed?url=${listen}&format=xml`, 501],
    ['/v1/openapi.json', 200],
    ['/v1/openapi.json?x=svc_live_x', 400],
    ['/v1/nothing', 404],
  ])('%s: %i', async (url, status) => {
    expect(await ask(url)).toBe(status);
  });

  it('responses match their description for an episode by id, under its show and its old slug', async () => {
    expect(await ask(`/v1/episodes/${episodeId}`)).toBe(200);
    expect(await ask(`/v1/podcasts/was-full/episodes/${episodeId}`)).toBe(301);
  });

  it('responses match their description with conditions and content codings', async () => {
    for (const url of ['/v1/podcasts/full', '/v1/openapi.json', `/v1/oembed?url=${listen}`]) {
      expect(await ask(url, { 'if-none-match': '*' })).toBe(304);
      expect(await ask(url, { 'if-match': '"other"' })).toBe(412);
      expect(await ask(url, { 'accept-encoding': 'br' })).toBe(200);
    }
  });

  it('responses match their description for too many requests and invalid ones', async () => {
    await using busy = await createTestApp({}, { limits: { public: { consume: () => false } } });
    const url = '/v1/podcasts/full';
    const refused = await busy.request({ method: 'GET', url });
    expect(refused.statusCode).toBe(429);
    expectDescribed('GET', url, refused);
    expectDescribed('POST', url, await app.request({ method: 'POST', url }));
  });
});

describe('the check of responses', () => {
  it('fails for a field that is not described', async () => {
    const url = '/v1/podcasts/full';
    const response = await app.request({ method: 'GET', url });
    const check = (change: object) => () =>
      expectDescribed('GET', url, Object.assign(Object.create(response), change));
    expect(check({})).not.toThrow();
    expect(check({ statusCode: 418 })).toThrow('not described');
    expect(check({ headers: { ...response.headers, 'x-more': '1' } })).toThrow('x-more');
    expect(check({ headers: { ...response.headers, vary: '*' } })).toThrow('Vary');
    const { etag: _etag, ...without } = response.headers;
    expect(check({ headers: without })).toThrow('lacks the header ETag');
    const { data } = response.json();
    expect(check({ json: () => ({ data: { ...data, more: 1 } }) })).toThrow();
    expect(check({ json: () => ({ data: { ...data, title: null } }) })).toThrow();
  });
});
