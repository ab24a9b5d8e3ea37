import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { fingerprintEnclosure } from '../../src/domain/foundation/provenance/index.ts';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import { type Podcast, updatePodcast } from '../../src/domain/publishing/podcasts/index.ts';
import { measurementServices } from '../../src/lib/enclosure-prefixes.ts';
import { type CountingApp, createCountingApp } from '../create-counting-app.ts';
import { makeEpisode, makePodcast } from '../make.ts';
import { patience } from '../patience.ts';

/** As the services give them, with the name of an account where one is needed. */
const prefixes = measurementServices.map((service) =>
  'needsAccount' in service ? `${service.prefix}ana/` : service.prefix,
);

let app: CountingApp;
let show: Podcast;
let plainUrl: string;

beforeAll(async () => {
  app = await createCountingApp({ BASE_URL: 'https://test.local' });
  show = await makePodcast(app.ctx, { slug: 'measured', enclosurePrefixes: prefixes });
  const { id } = await makeEpisode(app.ctx, show, { slug: 'one', episodeType: 'trailer' });
  await attachTone(app.ctx, id, 120);
  plainUrl = `https://test.local/media/${id}/f/one.mp3`;
});
afterAll(() => app[Symbol.asyncDispose]());

async function get(path: string, headers: Record<string, string> = {}): Promise<string> {
  const request = httpGet(app.url + path, { headers: { host: 'test.local', ...headers } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect(response.statusCode, path).toBe(200);
  return text(response);
}

const chain = prefixes.map((prefix) => prefix.slice('https://'.length)).join('');
const measuredUrl = () => `https://${chain}${plainUrl.slice('https://'.length)}`;
const enclosureUrl = (feed: string) => /<enclosure url="([^"]+)"/.exec(feed)?.[1] ?? '';

describe('a feed with measurement prefixes', () => {
  // FEED-16
  it('prefixes are in front of the enclosure and the trailer, in their order', async () => {
    const feed = await get('/feeds/measured.xml');
    expect(enclosureUrl(feed)).toBe(measuredUrl());
    expect(/<podcast:trailer [^>]*url="([^"]+)"/.exec(feed)?.[1]).toBe(measuredUrl());
  });

  // FEED-16
  it('prefixes are nowhere but in the feed', async () => {
    const episodes = await get('/v1/podcasts/measured/episodes');
    const { id } = JSON.parse(episodes).data[0];
    for (const path of [
      '/listen/measured',
      '/listen/measured/one',
      `/ep/${id}`,
      '/latest/measured',
    ])
      expect(await get(path), path).not.toContain('podtrac');
    expect(episodes).not.toContain('podtrac');
  });

  // PRINT-8
  it('the enclosure has the fingerprint that it has without prefixes', async () => {
    const url = enclosureUrl(await get('/feeds/measured.xml'));
    expect(fingerprintEnclosure(url)).toBe(fingerprintEnclosure(plainUrl));
  });

  // FEED-16
  it('a download through the services is counted once, as one of the feed', async () => {
    const url = enclosureUrl(await get('/feeds/measured.xml'));
    // Each service redirects to what is behind its prefix.
    const path = new URL(`https://${url.slice('https://'.length + chain.length)}`).pathname;
    const listener = { 'x-forwarded-for': '203.0.113.1', 'user-agent': 'AntennaPod/3.4' };
    await vi.waitFor(() => get(path, listener), patience);
    // The app reads on, through the services or directly.
    await get(path, listener);
    const sources = async () => {
      await app.downloads.flush();
      const { rows } = await app.database.pool.query(
        `select value, downloads::int from podcast_download_dimensions
          where podcast_id = $1 and dimension = 'sources' and downloads > 0`,
        [show.id],
      );
      return rows;
    };
    await expect.poll(sources, patience).toEqual([{ value: 'feed', downloads: 1 }]);
  });

  it('a feed without prefixes has the URL alone again, and others are refused', async () => {
    await updatePodcast(app.ctx, show.id, { enclosurePrefixes: [] });
    expect(enclosureUrl(await get('/feeds/measured.xml'))).toBe(plainUrl);
    for (const wrong of [
      ['http://op3.dev/e/'],
      [prefixes[0], prefixes[0]],
      Array(6).fill('https://a.example/'),
    ]) {
      const change = { enclosurePrefixes: wrong as string[] };
      await expect(updatePodcast(app.ctx, show.id, change)).rejects.toMatchObject({
        details: [{ field: 'enclosure_prefixes' }],
      });
    }
  });
});
