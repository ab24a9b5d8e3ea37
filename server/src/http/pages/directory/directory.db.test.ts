import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/create-test-app.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../test/make.ts';
import {
  movePodcast,
  type Podcast,
  pausePodcast,
  resumePodcast,
  setPodcastStatus,
  suspendPodcast,
  updatePodcast,
} from '../../../domain/publishing/podcasts/index.ts';
import { deletePodcast } from '../../../domain/service/shows/index.ts';
import { appleCategories } from '../../../lib/apple-categories.ts';
import { LargeBuilds } from '../../limits/large-builds.ts';
import categoryNames from '../category-names.json' with { type: 'json' };
import { isSpoken } from '../words.ts';

let app: TestApp;
let owner: Awaited<ReturnType<typeof makeUser>>;

beforeAll(async () => {
  app = await createTestApp({ PUBLIC_DIRECTORY: 'on' });
  owner = await makeUser(app.ctx);
});
afterAll(() => app[Symbol.asyncDispose]());

const get = (url: string, headers: Record<string, string> = {}) => app.request({ url, headers });
const make = async (title: string, fields: object = {}) => {
  const { description = '', status, ...more } = fields as { description?: string; status?: string };
  const show = await makePodcast(app.ctx, { title, owner, description, ...more });
  if (status === 'draft') await setPodcastStatus(app.ctx, show.id, 'draft');
  return show;
};
const titlesIn = (body: string) =>
  [...body.matchAll(/<b lang="[^"]*" dir="auto">([^<]*)<\/b>/g)].map(([, title]) => title);
const titles = async (url: string) => titlesIn((await get(url)).body);

describe('the public directory', () => {
  // PAGE-15
  it('the public directory lists active shows that are not blocked, the newest first', async () => {
    await make('Oldest');
    app.clock.set(new Date(app.clock.now().getTime() + 1000));
    const blocked = await make('Blocked');
    await updatePodcast(app.ctx, blocked.id, { itunesBlock: true });
    await make('Draft', { status: 'draft' });
    const states: [string, (show: Podcast) => Promise<unknown>][] = [
      ['Paused', (show) => pausePodcast(app.ctx, show.id)],
      ['Suspended', (show) => suspendPodcast(app.ctx, show.id)],
      ['Moved', (show) => movePodcast(app.ctx, show.id, { newFeedUrl: 'https://a.example/rss' })],
      ['Deleted', (show) => deletePodcast(app.ctx, show.id)],
    ];
    for (const [title, bring] of states) await bring(await make(title));
    await make('Newest', { author: 'Ana <Berg>', language: 'he' });
    const { statusCode, headers, body } = await get('/');
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=60',
      vary: 'Accept-Language, Accept-Encoding',
      'content-language': 'en',
    });
    expect(headers['content-security-policy']).toContain("form-action 'self'");
    expect(titlesIn(body)).toEqual(['Newest', 'Oldest']);
    expect(body).toContain('Ana &lt;Berg&gt;');
    expect(body).not.toContain('noindex');
    expect(body).not.toMatch(/<script(?! type="application\/ld\+json")/);
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(body) ?? [];
    const { mainEntity } = JSON.parse(json) as { mainEntity: { itemListElement: unknown[] } };
    expect(mainEntity.itemListElement).toHaveLength(2);
  });

  it('the public directory shows every change at once', async () => {
    const show = await make('Before');
    expect(await titles('/')).toContain('Before');
    await updatePodcast(app.ctx, show.id, { title: 'After' });
    expect(await titles('/')).toContain('After');
    await pausePodcast(app.ctx, show.id);
    expect(await titles('/')).not.toContain('After');
    await resumePodcast(app.ctx, show.id);
    expect(await titles('/')).toContain('After');
    await deletePodcast(app.ctx, show.id);
    expect(await titles('/')).not.toContain('After');
  });

  it('the public directory needs two statements, and none from its cache', async () => {
    const connections = vi.spyOn(app.database.pool, 'connect');
    // The least of some times: now and then, a request also asks whether caches are current.
    const countFor = async (
      url: string,
      change: () => Promise<unknown> = async () => undefined,
    ) => {
      const counts: number[] = [];
      for (let time = 0; time < 4; time += 1) {
        await change();
        connections.mockClear();
        expect((await get(url)).statusCode).toBe(200);
        counts.push(connections.mock.calls.length);
      }
      return Math.min(...counts);
    };
    expect(await countFor('/', () => make('Anything'))).toBe(2);
    expect(await countFor('/')).toBe(0);
    expect(await countFor('/?cursor=')).toBe(0);
    expect(await countFor('/?q=anything')).toBe(2);
    connections.mockRestore();
  });

  it('the public directory searches title, subtitle and author for all words', async () => {
    await make('Harbour lights', { author: 'Mira Sól' });
    await make('Harbour sounds', { author: 'Jon' });
    expect(await titles('/?q=harbour')).toEqual(['Harbour sounds', 'Harbour lights']);
    expect(await titles('/?q=HARBOUR+mira')).toEqual(['Harbour lights']);
    expect(await titles('/?q=%20%00%20harbour%25')).toEqual([]);
    const { body } = await get('/?q=%22%3E%3Cb%3E');
    expect(body).toContain('value="&quot;&gt;&lt;b&gt;"');
    expect(body).toContain('No podcasts found.');
    expect(body).toContain('noindex');
  });

  it('the public directory filters by category, by its name in the language of the reader', async () => {
    await make('Stars', { category: 'Science' });
    await make('Goals', { category: 'Sports' });
    expect(await titles('/?category=Science')).toEqual(['Stars']);
    const { body, headers } = await get('/?category=Science', { 'accept-language': 'de-AT' });
    expect(headers['content-language']).toBe('de');
    expect(body).toContain('<title>Wissenschaft – Podcasts – test.local</title>');
    expect(body).toContain('/?category=Sports">Sport</a>');
    const arabic = await get('/', { 'accept-language': 'ar' });
    expect(arabic.body).toContain('dir="rtl"');
    expect(titlesIn(arabic.body)).toContain('Stars');
  });

  it.each([
    '/?category=Nonsense',
    '/?category=toString',
    '/?cursor=nonsense',
    '/?q=a&q=b',
    `/?q=${'a'.repeat(201)}`,
  ])('the public directory refuses %s', async (url) => {
    const { statusCode, headers } = await get(url);
    expect(statusCode).toBe(400);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
  });

  it('every category has a name in every language of the pages', () => {
    expect(Object.keys(categoryNames)).toEqual(Object.keys(appleCategories).sort());
    for (const [category, names] of Object.entries(categoryNames)) {
      expect(Object.keys(names), category).toHaveLength(10);
      for (const language of Object.keys(names)) expect(isSpoken(language)).toBe(true);
    }
  });
});

describe('pages and sitemaps of the public directory', () => {
  // PAGE-15
  it('pages of the public directory have each show once, while others are added', async () => {
    await using many = await createTestApp({ PUBLIC_DIRECTORY: 'on' });
    const user = await makeUser(many.ctx);
    for (let n = 0; n < 60; n += 1) {
      await makePodcast(many.ctx, { title: `Show ${n}`, owner: user });
      if (n % 3 === 0) many.clock.set(new Date(many.clock.now().getTime() + 1));
    }
    const ask = async (url: string) => (await many.request({ url })).body;
    const first = await ask('/');
    await makePodcast(many.ctx, { title: 'Late', owner: user });
    const next = /rel="next" href="http:\/\/test\.local([^"]+)"/.exec(first)?.[1] ?? '';
    const second = await ask(next.replaceAll('&amp;', '&'));
    expect(second).toContain('noindex');
    const seen = [...titlesIn(first), ...titlesIn(second)];
    expect(seen).toHaveLength(60);
    expect(new Set(seen).size).toBe(60);
  });

  // PAGE-15
  it('the sitemap of the public directory takes turns with other large responses, once for a change', async () => {
    const show = await make('Turned');
    const begin = vi.spyOn(LargeBuilds.prototype, 'begin');
    const turns = () => begin.mock.calls.filter(([owner]) => owner === 'directory').length;
    for (let n = 0; n < 3; n += 1) await get('/sitemap.xml');
    expect(turns()).toBe(1);
    await updatePodcast(app.ctx, show.id, { title: 'Another' });
    for (let n = 0; n < 3; n += 1) await get('/sitemap.xml');
    expect(turns()).toBe(2);
    await get('/robots.txt');
    expect(turns()).toBe(3);
    begin.mockRestore();
  });

  it('the sitemap of the public directory names those of its shows, and robots.txt names it', async () => {
    const show = await make('Mapped');
    await makeEpisode(app.ctx, show, {});
    const { body, headers } = await get('/sitemap.xml');
    expect(headers['content-type']).toBe('application/xml; charset=utf-8');
    expect(body).toContain(`<loc>http://test.local/listen/${show.slug}/sitemap.xml</loc>`);
    await pausePodcast(app.ctx, show.id);
    expect((await get('/sitemap.xml')).body).not.toContain(show.slug);
    const robots = (await get('/robots.txt')).body;
    expect(robots).toContain('Disallow: /app\n');
    expect(robots).toContain('Sitemap: http://test.local/sitemap.xml\n');
    expect((await get('/sitemap.xml?cursor=nonsense')).statusCode).toBe(400);
  });

  // PAGE-15
  it('nothing of the public directory exists by default', async () => {
    await using usual = await createTestApp();
    await makePodcast(usual.ctx, { title: 'Unlisted' });
    const { body } = await usual.request({ url: '/?q=unlisted&q=b&category=x&cursor=y' });
    expect(body).toContain('It has no public directory');
    expect(body).not.toContain('Unlisted');
    expect((await usual.request({ url: '/sitemap.xml' })).statusCode).toBe(404);
    expect((await usual.request({ url: '/robots.txt' })).body).not.toContain('Sitemap');
  });

  it('an installation without users says how to set it up, also with a directory', async () => {
    await using empty = await createTestApp({ PUBLIC_DIRECTORY: 'on' });
    const home = async () => (await empty.request({ url: '/' })).body;
    expect(await home()).toContain('Nobody has an account yet');
    await makeUser(empty.ctx);
    expect(await home()).toContain('No podcasts yet.');
  });

  // LIM-1
  it('searches and further pages of the public directory count towards the public limit', async () => {
    let left = 1;
    const limit = { consume: () => left-- > 0 };
    await using limited = await createTestApp(
      { PUBLIC_DIRECTORY: 'on' },
      { limits: { public: limit } },
    );
    await makeUser(limited.ctx);
    expect((await limited.request({ url: '/?q=a' })).statusCode).toBe(200);
    expect((await limited.request({ url: '/?q=b' })).statusCode).toBe(429);
    expect((await limited.request({ url: '/' })).statusCode).toBe(200);
  });
});

it('searches of the public directory beyond those that may wait are refused', async () => {
  const { pool } = app.database;
  const used = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  const sent = Array.from({ length: 25 }, (_, n) => get(`/?q=word${n}`));
  const [first] = await Promise.race(sent.map(async (response) => [await response]));
  for (const client of used) client.release();
  expect([first?.statusCode, first?.headers['retry-after']]).toEqual([503, '2']);
  const statuses = (await Promise.all(sent)).map(({ statusCode }) => statusCode);
  const complete = statuses.filter((status) => status === 200);
  expect(complete.length).toBeGreaterThanOrEqual(20);
  expect(statuses.filter((status) => status === 503)).toHaveLength(25 - complete.length);
});
