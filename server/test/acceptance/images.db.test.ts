import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { publishEpisode } from '../../src/domain/publishing/episodes/index.ts';
import {
  attachImage,
  setEpisodeArtwork,
  setPodcastArtwork,
} from '../../src/domain/publishing/images/index.ts';
import { addPerson, setCredits } from '../../src/domain/publishing/people/index.ts';
import {
  type Podcast,
  resumePodcast,
  suspendPodcast,
} from '../../src/domain/publishing/podcasts/index.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import { makeEpisode, makePodcast } from '../make.ts';

let app: TestApp;
let show: Podcast;

beforeAll(async () => {
  app = await createTestApp();
  show = await makePodcast(app.ctx, { slug: 'pictures' });
});
afterAll(() => app[Symbol.asyncDispose]());

const get = (url: string) =>
  app.request({ method: 'GET', url: url.replace('http://test.local', '') });

/** Attaches a picture that differs from all others of this test. */
async function attach(format: 'png' | 'jpeg', red: number) {
  const background = { r: red, g: 10, b: 20 };
  const picture = sharp({ create: { width: 800, height: 800, channels: 3, background } });
  const bytes = await picture.toFormat(format).toBuffer();
  return attachImage(app.ctx, { podcastId: show.id, bytes });
}

describe('images', () => {
  it('images in sizes that do not exist, and those that a client has already, cost no request to the store', async () => {
    const { id } = await attach('png', 9);
    await setPodcastArtwork(app.ctx, show.id, id);
    const copy = `/images/${id}/320.jpg`;
    const etagOf = async (url: string) => String((await get(url)).headers['etag']);
    const original = `/images/${id}.png`;
    const etags = { [copy]: await etagOf(copy), [original]: await etagOf(original) };
    const stat = vi.spyOn(app.ctx.blobs, 'stat');
    const read = vi.spyOn(app.ctx.blobs, 'read');
    for (const width of ['9999', '321', '0320', '16'])
      expect((await get(`/images/${id}/${width}.jpg`)).statusCode, width).toBe(404);
    for (const [url, etag] of Object.entries(etags)) {
      const headers = { 'if-none-match': etag };
      const known = await app.request({ method: 'GET', url, headers });
      expect(known).toMatchObject({ statusCode: 304, headers: { etag } });
      expect(known.headers['cache-control']).toBe('public, max-age=60');
    }
    expect([...stat.mock.calls, ...read.mock.calls]).toEqual([]);
    vi.restoreAllMocks();
    expect((await get(copy)).statusCode).toBe(200);
  });

  it('an image that has no wide copy is sent in its place', async () => {
    const { id } = await attach('png', 10);
    await setPodcastArtwork(app.ctx, show.id, id);
    const original = await get(`/images/${id}.png`);
    const wide = await get(`/images/${id}/1600.jpg`);
    expect(wide).toMatchObject({ statusCode: 200, headers: { 'content-type': 'image/png' } });
    const etag = String(original.headers['etag']);
    expect(wide.headers['etag']).toBe(etag);
    const headers = { 'if-none-match': etag };
    const known = await app.request({ method: 'GET', url: `/images/${id}/1600.jpg`, headers });
    expect(known.statusCode).toBe(304);
  });

  it('images are shown by the API, and served in their sizes', async () => {
    const { id } = await attach('png', 1);
    await setPodcastArtwork(app.ctx, show.id, id);
    const { artwork } = (await get('/v1/podcasts/pictures')).json().data;
    expect(artwork.url).toBe(`http://test.local/images/${id}.png`);
    const original = await get(artwork.url);
    expect(original.statusCode).toBe(200);
    expect(original.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=60',
    });
    const small = await get(`/images/${id}/320.jpg`);
    expect(small.headers['content-type']).toBe('image/jpeg');
    expect((await sharp(small.rawPayload).metadata()).width).toBe(320);
    expect(small.headers['etag']).not.toBe(original.headers['etag']);
    for (const path of [`/images/${id}.jpg`, `/images/${id}/321.jpg`, '/images/x.png']) {
      expect((await get(path)).statusCode, path).toBe(404);
    }
    const page = encodeURIComponent('http://test.local/listen/pictures');
    for (const [bounds, px] of [
      ['', 640],
      ['&maxwidth=640&maxheight=100000', 640],
      ['&maxwidth=639', 320],
      ['&maxheight=200&maxwidth=400', 160],
      ['&maxheight=159', undefined],
    ] as const) {
      const oembed = (await get(`/v1/oembed?url=${page}${bounds}`)).json();
      expect(oembed.thumbnail_url, bounds).toBe(px && `http://test.local/images/${id}/${px}.jpg`);
      expect([oembed.thumbnail_width, oembed.thumbnail_height], bounds).toEqual([px, px]);
    }
  });

  it('images are hidden while only hidden shows or episodes use them', async () => {
    const draft = await makeEpisode(app.ctx, show, { status: 'draft' });
    const artwork = await attach('jpeg', 60);
    const photo = await attach('jpeg', 120);
    const unused = await attach('jpeg', 200);
    await setEpisodeArtwork(app.ctx, draft.id, artwork.id);
    const guest = { podcastId: show.id, name: 'Cy', photoId: photo.id, roster: false };
    const person = await addPerson(app.ctx, guest);
    await setCredits(app.ctx, draft.id, [{ personId: person.id }]);
    const statuses = async () => {
      const responses = [artwork, photo, unused].map(({ id }) => get(`/images/${id}.jpg`));
      return (await Promise.all(responses)).map((response) => response.statusCode);
    };
    expect(await statuses()).toEqual([404, 404, 404]);
    await publishEpisode(app.ctx, draft.id);
    expect(await statuses()).toEqual([200, 200, 404]);
    const { data } = (await get(`/v1/episodes/${draft.id}`)).json();
    expect(data.artwork.url).toContain(artwork.id);
    expect(data.people[0].photo_url).toContain(photo.id);
  });

  it('images are shown when their scheduled episode becomes public, and looked up once before', async () => {
    const scheduledFor = new Date(app.clock.now().getTime() + 60_000);
    const later = await makeEpisode(app.ctx, show, { status: 'scheduled', scheduledFor });
    const { id } = await attach('jpeg', 240);
    await setEpisodeArtwork(app.ctx, later.id, id);
    const status = async () => (await get(`/images/${id}.jpg`)).statusCode;
    expect(await status()).toBe(404);
    let statements = 0;
    const count = () => {
      statements += 1;
    };
    app.database.pool.on('acquire', count);
    expect([await status(), statements]).toEqual([404, 0]);
    app.clock.advance(60_000);
    expect([await status(), statements]).toEqual([200, 1]);
    app.database.pool.off('acquire', count);
  });

  it('images are refused with their suspended show', async () => {
    const { id } = await attach('png', 1);
    await setPodcastArtwork(app.ctx, show.id, id);
    await suspendPodcast(app.ctx, show.id);
    expect((await get(`/images/${id}.png`)).statusCode).toBe(403);
    await resumePodcast(app.ctx, show.id);
  });
});
