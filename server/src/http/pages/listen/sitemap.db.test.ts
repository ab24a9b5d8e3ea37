import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertEpisodes } from '../../../../../bench/installation/fill-show.sql.ts';
import { createTestApp, type TestApp } from '../../../../test/create-test-app.ts';
import { makeEpisode, makePodcast } from '../../../../test/make.ts';
import { updateEpisode } from '../../../domain/publishing/episodes/index.ts';
import {
  type Podcast,
  pausePodcast,
  updatePodcast,
} from '../../../domain/publishing/podcasts/index.ts';

let app: TestApp;
let show: Podcast;
beforeAll(async () => {
  app = await createTestApp();
  show = await makePodcast(app.ctx, { slug: 'night-signals' });
});
afterAll(() => app[Symbol.asyncDispose]());

const base = 'http://test.local';
const get = (url: string) => app.request({ method: 'GET', url: url.replace(base, '') });
const readAll = (xml: string, tag: string) =>
  [...xml.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, 'g'))].map(([, text = '']) => text);
const pagesOf = async (url: string) => readAll((await get(url)).body, 'loc');

// PAGE-14
describe('the sitemap of a show', () => {
  it('the sitemap of a show lists its public pages, and no others, with their last changes', async () => {
    const now = app.clock.now();
    const soon = new Date(now.getTime() + 60_000);
    await makeEpisode(app.ctx, show, { slug: 'first', status: 'published' });
    await makeEpisode(app.ctx, show, { slug: 'unseen', status: 'draft' });
    await makeEpisode(app.ctx, show, { slug: 'soon', status: 'scheduled', scheduledFor: soon });
    await makeEpisode(app.ctx, await makePodcast(app.ctx), { slug: 'other', status: 'published' });

    const address = '/listen/night-signals/sitemap.xml';
    const response = await get(address);
    expect(response.headers).toMatchObject({
      'content-type': 'application/xml; charset=utf-8',
      'cache-control': 'public, max-age=60',
    });
    const own = `${base}/listen/night-signals`;
    expect(readAll(response.body, 'loc')).toEqual([own, `${own}/first`]);

    app.clock.set(soon);
    const pages = await pagesOf(address);
    expect(pages).toEqual([own, `${own}/soon`, `${own}/first`]);
    for (const page of pages) expect((await get(page)).statusCode, page).toBe(200);
    const [, , first] = readAll((await get(address)).body, 'lastmod');
    expect(new Date(first ?? '').getTime()).toBeLessThanOrEqual(now.getTime());

    app.clock.advance(1_000);
    const changed = (await get('/v1/podcasts/night-signals/episodes/first')).json().data;
    await updateEpisode(app.ctx, changed.id, { title: 'Another title' });
    const [, , later] = readAll((await get(address)).body, 'lastmod');
    expect(later).toBe(app.clock.now().toISOString());
  });

  it('the sitemap of a show moves with it, and is gone while the show is paused', async () => {
    await updatePodcast(app.ctx, show.id, { slug: 'day-signals' });
    expect(await get('/listen/night-signals/sitemap.xml')).toMatchObject({
      statusCode: 301,
      headers: { location: `${base}/listen/day-signals/sitemap.xml` },
    });
    await pausePodcast(app.ctx, show.id);
    expect((await get('/listen/day-signals/sitemap.xml')).statusCode).toBe(404);
    expect((await get('/listen/unknown/sitemap.xml')).statusCode).toBe(404);
  });

  it('the sitemap of a show with more than 10,000 episodes is in parts', async () => {
    const { id: podcastId } = await makePodcast(app.ctx, { slug: 'long' });
    const count = 10_001;
    app.clock.set(new Date());
    const notes = ['<p>What was heard.</p>'];
    await insertEpisodes(app.ctx.db, { podcastId, from: 1, to: count, count, notes });
    const index = await get('/listen/long/sitemap.xml');
    expect(index.body).toContain('<sitemapindex ');
    const parts = readAll(index.body, 'loc');
    expect(parts).toHaveLength(2);
    const pages = (await Promise.all(parts.map(pagesOf))).map((all) => all.length);
    expect(pages).toEqual([10_001, 1]);
    const all = (await Promise.all(parts.map(pagesOf))).flat();
    expect(new Set(all).size).toBe(count + 1);
    expect((await get('/listen/long/sitemap.xml?cursor=made-up')).statusCode).toBe(400);
  });
});
