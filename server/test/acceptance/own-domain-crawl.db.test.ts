import { afterAll, beforeAll, expect, it } from 'vitest';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import { checkDomain, setDomain } from '../../src/domain/publishing/domains/index.ts';
import { attachImage, setPodcastArtwork } from '../../src/domain/publishing/images/index.ts';
import { type Podcast, updatePodcast } from '../../src/domain/publishing/podcasts/index.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import { createDomainRecords, servedAt } from '../hosts/domain-records.ts';
import { pictureBytes } from '../hosts/podcast-host.ts';
import { makeEpisode, makePodcast } from '../make.ts';

const base = 'https://test.local';
const own = 'https://pod.example';
const episodes = ['first', 'second', 'app'];
/** Every URL at which a page of the show is. */
const pages = [`${own}/`, ...episodes.map((slug) => `${own}/${slug}`)];
const records = createDomainRecords();
let app: TestApp;
let show: Podcast;
let other: Podcast;

beforeAll(async () => {
  app = await createTestApp({ BASE_URL: base }, { dns: records });
  [show, other] = [await newShow('signals', episodes), await newShow('other', ['foreign'])];
  const { token } = await setDomain(app.ctx, show.id, 'pod.example');
  records.set('pod.example', { txt: token, addresses: [servedAt] });
  await checkDomain(app.ctx, show.id);
  await app.http.domains.settled();
});
afterAll(() => app[Symbol.asyncDispose]());

async function newShow(slug: string, slugs: readonly string[]): Promise<Podcast> {
  const podcast = await makePodcast(app.ctx, { slug, title: `The show ${slug}` });
  const bytes = await pictureBytes(slug === 'other' ? '#800' : '#080');
  const image = await attachImage(app.ctx, { podcastId: podcast.id, bytes });
  await setPodcastArtwork(app.ctx, podcast.id, image.id);
  for (const one of slugs) {
    const { id } = await makeEpisode(app.ctx, podcast, { slug: one, title: `Episode ${one}` });
    await attachTone(app.ctx, id, 2);
  }
  return podcast;
}

interface Fetched {
  readonly url: string;
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly location: string | undefined;
}

const cookies: string[] = [];

async function get(url: string): Promise<Fetched> {
  const { host, pathname, search } = new URL(url);
  const { statusCode, headers, body } = await app.request({
    method: 'GET',
    url: pathname + search,
    headers: { host },
  });
  if (headers['set-cookie'] !== undefined) cookies.push(url);
  return {
    ...{ url, status: statusCode, body, type: String(headers['content-type']) },
    location: headers.location as string | undefined,
  };
}

const decode = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&#x2F;', '/');
const all = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, found = '']) => decode(found));

/** Every URL in a document that a browser or a crawler would follow. */
function linksOf({ body, url }: Fetched): string[] {
  // A hub takes only POST.
  const written = [
    ...all(body, /\s(?:href|src|content|url|poster|data-src)=["']([^"']+)["']/g),
    ...all(body, /<(?:loc|link|url)>([^<]+)</g),
    ...all(body, /"(?:@id|url|webFeed|contentUrl|embedUrl|image|item)":\s?"([^"]+)"/g),
  ];
  return written.flatMap((link) => {
    const found = /^(?:https?:|\/)/.test(link) ? URL.parse(link, url) : null;
    return found === null || found.pathname === '/hub' ? [] : [found.href.replace(/#.*$/, '')];
  });
}

/** Everything at both hosts that links lead to from these URLs. */
async function crawl(...from: string[]): Promise<Map<string, Fetched>> {
  const seen = new Map<string, Fetched>();
  const waiting = [...from];
  for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
    if (seen.has(url) || !/^https:\/\/(?:test\.local|pod\.example)(?:\/|$)/.test(url)) continue;
    const fetched = await get(url);
    seen.set(url, fetched);
    if (fetched.location !== undefined) waiting.push(fetched.location);
    // Documentation and the API are not followed further.
    const isText = /html|xml/.test(fetched.type) && !/\/(?:docs|v1|app)\b/.test(url);
    if (isText) waiting.push(...linksOf(fetched));
  }
  return seen;
}

it('everything that links from either host lead to is there, and agrees where the show is', async () => {
  const seen = await crawl(`${own}/`, `${base}/listen/signals`, `${base}/feeds/signals.xml`);
  const broken = [...seen.values()].filter(({ status }) => status >= 400);
  expect(broken.map(({ url, status }) => [url, status])).toEqual([]);
  const documents = [...seen.values()].filter(
    ({ status, type }) => status === 200 && /html/.test(type),
  );
  const atOwn = documents.filter(
    ({ url }) => url.startsWith(own) && !/\/(?:ep|latest)\//.test(url),
  );
  expect(atOwn.map(({ url }) => url).toSorted()).toEqual(pages.toSorted());
  for (const { url, body } of atOwn) {
    expect(all(body, /<link rel="canonical" href="([^"]+)"/g), url).toEqual([url]);
    expect(all(body, /<meta property="og:url" content="([^"]+)"/g), url).toEqual([url]);
    expect(all(body, /type="application\/rss\+xml"[^>]*href="([^"]+)"/g), url).toEqual([
      `${own}/feed.xml`,
    ]);
    const ids = all(body, /"@id":\s?"([^"]+)"/g);
    expect(ids.length, url).toBeGreaterThan(0);
    for (const id of ids) expect([...pages, `${own}/`], url).toContain(id);
  }
  for (const { url, body } of documents.filter(({ url }) => /\/(?:ep|latest)\//.test(url))) {
    for (const canonical of all(body, /<link rel="canonical" href="([^"]+)"/g))
      expect(pages, url).toContain(canonical);
  }
  // Nothing tells of another place of the show, but for where players and files are.
  for (const { url, body } of seen.values())
    expect(body.includes(`${base}/listen/signals`), url).toBe(false);
});

it('sitemap, feeds, API and oEmbed name the same URLs as the pages', async () => {
  const sitemap = await get(`${own}/sitemap.xml`);
  expect(all(sitemap.body, /<loc>([^<]+)</g).toSorted()).toEqual(pages.toSorted());
  const robots = await get(`${own}/robots.txt`);
  expect(robots.body).toContain(`Sitemap: ${own}/sitemap.xml\n`);
  const feeds = [await get(`${own}/feed.xml`), await get(`${base}/feeds/signals.xml`)];
  for (const { body } of feeds) {
    expect(all(body, /<atom:link rel="self" href="([^"]+)"/g)).toEqual([`${own}/feed.xml`]);
    expect(new Set(all(body, /<link>([^<]+)</g))).toEqual(new Set(pages));
    for (const enclosure of all(body, /<enclosure url="([^"]+)"/g))
      expect(enclosure).toMatch(/^https:\/\/test\.local\/media\//);
  }
  const api = JSON.parse((await get(`${base}/v1/podcasts/signals`)).body);
  expect(api.data.links).toEqual({ listen: `${own}/`, feed: `${own}/feed.xml` });
  const list = JSON.parse((await get(`${base}/v1/podcasts/signals/episodes`)).body);
  const listed = list.data.map(({ links }: { links: { listen: string } }) => links.listen);
  expect([`${own}/`, ...listed].toSorted()).toEqual(pages.toSorted());
  for (const page of pages) {
    const discovered = all(
      (await get(page)).body,
      /application\/json\+oembed"[^>]*href="([^"]+)"/g,
    );
    expect(discovered).toHaveLength(1);
    const former = page.replace(`${own}/`, `${base}/listen/signals/`).replace(/\/$/, '');
    const asked = [String(discovered[0]), ...[page, former].map(oembedOf)];
    const answers = await Promise.all(asked.map(get));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body)).size, page).toBe(1);
  }
  for (const page of [`${own}/none`, `${own}/app/x`, `${own}:8443/`, 'https://other.example/'])
    expect((await get(oembedOf(page))).status, page).toBe(404);
});

const oembedOf = (url: string) => `${base}/v1/oembed?url=${encodeURIComponent(url)}`;

it('nothing of another show or of an account is at the own domain, and no cookie', async () => {
  const atBase = await crawl(`${base}/listen/other`, `${base}/feeds/other.xml`, `${base}/`);
  expect(atBase.size).toBeGreaterThan(10);
  const more = ['/app', '/app/sign-in', '/connect', '/v1/me', '/v1/sites', '/v1/podcasts/other'];
  const shared = /^\/(?:player\/|favicon|robots\.txt$|$|app$)/;
  for (const url of [...atBase.keys(), ...more.map((path) => base + path)]) {
    const { pathname, search } = new URL(url);
    if (shared.test(pathname)) continue;
    const there = await get(own + pathname + search);
    expect([there.url, there.status]).toEqual([own + pathname + search, 404]);
    expect(there.body).not.toContain('The show other');
  }
  expect(cookies.filter((url) => url.startsWith(own))).toEqual([]);
});

it('responses of one host are never those of the other, whichever was first', async () => {
  const paths = ['/', '/first', '/feed.xml', '/robots.txt', '/listen/other', '/feeds/other.xml'];
  const read = async () => {
    const found: unknown[] = [];
    for (const path of paths) {
      for (const host of [own, base]) {
        const { status, body } = await get(host + path);
        found.push([
          host + path,
          status,
          body.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id'),
        ]);
      }
    }
    return found;
  };
  const before = await read();
  expect(await read()).toEqual(before);
  // A change empties the caches.
  await updatePodcast(app.ctx, show.id, { subtitle: 'x' });
  await updatePodcast(app.ctx, show.id, { subtitle: null });
  await updatePodcast(app.ctx, other.id, { subtitle: 'x' });
  await updatePodcast(app.ctx, other.id, { subtitle: null });
  expect(await read()).toEqual(before);
});
