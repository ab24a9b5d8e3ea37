import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import { checkDomain, setDomain } from '../../src/domain/publishing/domains/index.ts';
import { updateEpisode } from '../../src/domain/publishing/episodes/index.ts';
import {
  movePodcast,
  type Podcast,
  setPodcastStatus,
  updatePodcast,
} from '../../src/domain/publishing/podcasts/index.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import { createDomainRecords, servedAt } from '../hosts/domain-records.ts';
import { makeEpisode, makePodcast } from '../make.ts';

const host = 'pod.example';
const records = createDomainRecords();
let app: TestApp;
let show: Podcast;
let other: Podcast;
let episodeId: string;
let foreignId: string;
let address: { readonly host: string; readonly port: number };

beforeAll(async () => {
  app = await createTestApp({ BASE_URL: 'https://test.local' }, { dns: records });
  show = await makePodcast(app.ctx, { slug: 'signals', title: 'Signals', language: 'de' });
  other = await makePodcast(app.ctx, { slug: 'other', title: 'Other' });
  episodeId = await episodeOf(show, 'first');
  await episodeOf(show, 'app');
  foreignId = await episodeOf(other, 'foreign');
  await verify();
  const url = new URL(await app.http.server.listen({ port: 0, host: '127.0.0.1' }));
  address = { host: url.hostname, port: Number(url.port) };
});
afterAll(() => app[Symbol.asyncDispose]());

async function episodeOf(podcast: Podcast, slug: string): Promise<string> {
  const { id } = await makeEpisode(app.ctx, podcast, { slug, title: `Episode ${slug}` });
  await attachTone(app.ctx, id, 5);
  return id;
}

async function verify(): Promise<void> {
  const { token } = await setDomain(app.ctx, show.id, host);
  records.set(host, { txt: token, addresses: [servedAt] });
  expect((await checkDomain(app.ctx, show.id)).state).toBe('verified');
  await app.http.domains.settled();
}

async function lose(): Promise<void> {
  records.set(host, {});
  for (let i = 0; i < 3; i += 1) await checkDomain(app.ctx, show.id);
  await app.http.domains.settled();
}

const get = (url: string, headers: Record<string, string> = {}) =>
  app.request({ method: 'GET', url, headers: { host: 'test.local', ...headers } });
const getOwn = (url: string, headers: Record<string, string> = {}) =>
  get(url, { host, ...headers });

const subscribe = (topic: string) =>
  app.request({
    method: 'POST',
    url: '/hub',
    headers: { host: 'test.local', 'content-type': 'application/x-www-form-urlencoded' },
    payload: `${new URLSearchParams({
      ...{ 'hub.mode': 'subscribe', 'hub.callback': 'https://reader.example/x' },
      'hub.topic': topic,
    })}`,
  });

describe('an own domain (DOMAIN-7)', () => {
  it.each([
    ['/', 'text/html'],
    ['/first', 'text/html'],
    // A slug may be any word: no other page is there.
    ['/app', 'text/html'],
    ['/feed.xml', 'application/rss+xml'],
    ['/sitemap.xml', 'application/xml'],
    ['/robots.txt', 'text/plain'],
    ['/favicon.svg', 'image/svg+xml'],
    ['/player/v1.js', 'text/javascript'],
    ['/latest/signals', 'text/html'],
  ])('an own domain has %s', async (url, type) => {
    // Twice: the second time from the cache.
    for (let i = 0; i < 2; i += 1) {
      const { statusCode, headers } = await getOwn(url);
      expect([statusCode, headers['set-cookie']]).toEqual([200, undefined]);
      expect(headers['content-type']).toContain(type);
      expect((await getOwn(url, { 'if-none-match': String(headers['etag']) })).statusCode).toBe(
        304,
      );
    }
    const head = await app.request({ method: 'HEAD', url, headers: { host } });
    expect([head.statusCode, head.body]).toEqual([200, '']);
  });

  it("an own domain has the show's audio, with ranges, and its players", async () => {
    const feed = (await getOwn('/feed.xml')).body;
    const enclosure = /<enclosure url="https:\/\/test\.local(\/media\/[^"]+first[^"]*)"/.exec(
      feed,
    )?.[1];
    const part = await getOwn(String(enclosure), { range: 'bytes=0-9' });
    expect([part.statusCode, part.rawPayload.length]).toEqual([206, 10]);
    expect((await getOwn(`/ep/${episodeId}`)).statusCode).toBe(200);
  });

  it.each([
    ...['/listen/signals', '/listen/signals/first', '/feeds/signals.xml', '/v1/podcasts/signals'],
    ...['/v1/me', '/v1/sites', '/connect', '/app/sign-in', '/app/api/session', '/docs'],
    ...['/healthz', '/readyz', '/metrics', '/tls-allowed?domain=pod.example', '/foreign', '/none'],
    ...['/@pod.example/', '/%40pod.example/', '//', '/a/b/c'],
  ])('an own domain does not have %s', async (url) => {
    const { statusCode, headers, body } = await getOwn(url);
    expect([statusCode, headers['set-cookie'], headers['location']]).toEqual([
      404,
      undefined,
      undefined,
    ]);
    expect(body).toContain('lang="de"');
    expect(body).toContain('https://pod.example/');
    expect(headers['cache-control']).toBe('no-store');
  });

  it('an own domain does not have files or players of another show', async () => {
    const feed = (await get('/feeds/other.xml')).body;
    const media = /<enclosure url="https:\/\/test\.local(\/media\/[^"]+)"/.exec(feed)?.[1] ?? '';
    expect((await get(media)).statusCode).toBe(200);
    for (const url of ['/latest/other', media, `/ep/${foreignId}`, `/chapters/${foreignId}.json`]) {
      expect((await getOwn(url)).statusCode, url).toBe(404);
    }
  });

  it('redirects former slugs and final slashes to itself', async () => {
    const { id } = await makeEpisode(app.ctx, show, { slug: 'before' });
    await updateEpisode(app.ctx, id, { slug: 'after' });
    for (const url of ['/before', '/after/']) {
      const { statusCode, headers } = await getOwn(url);
      expect([statusCode, headers['location']]).toEqual([301, 'https://pod.example/after']);
    }
  });
});

describe('The host of a request (DOMAIN-8)', () => {
  it.each([
    ['/', { host: 'POD.example' }],
    ['/', { host: 'pod.example.' }],
    ['/', { host: 'pod.example:443' }],
    ['http://pod.example/', { host: 'test.local' }],
    ['HTTPS://Pod.Example:8080', { host: 'test.local' }],
  ])('%s with %j is for the own domain', async (url, headers) => {
    const { statusCode, body } = await rawGet(url, headers);
    expect([statusCode, body.includes('Signals')]).toEqual([200, true]);
  });

  it.each([
    ['/', { host: 'unknown.example' }],
    ['/', { host: 'test.local', 'x-forwarded-host': host }],
    ['/', { host: 'test.local', forwarded: `host=${host}` }],
    ['http://test.local/', { host }],
    ['http://x@pod.example/', { host: 'test.local' }],
    ['/', { host: 'pod.example.evil.example' }],
    ['/', { host: 'xpod.example' }],
  ])('%s with %j is for the service', async (url, headers) => {
    const { statusCode, body } = await rawGet(url, headers);
    expect([statusCode, body.includes('Signals')]).toEqual([200, false]);
  });

  it.each(['/@pod.example/', '/%40pod.example/', 'http://test.local/@pod.example/'])(
    'nobody can request %s',
    async (url) => {
      expect((await getOwn('/')).statusCode).toBe(200);
      expect((await rawGet(url, { host: 'test.local' })).statusCode).toBe(404);
    },
  );
});

/** With a target as it is, through a socket. */
async function rawGet(path: string, headers: Record<string, string>) {
  const request = httpGet({ ...address, path, headers, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { statusCode: response.statusCode, body: await text(response) };
}

describe('A request that names its host in another way (DOMAIN-8)', () => {
  it.each([
    ['GET / HTTP/1.0\r\n\r\n', 200, false],
    ['GET / HTTP/1.0\r\nHost: pod.example\r\n\r\n', 200, true],
    ['GET http://pod.example/ HTTP/1.0\r\n\r\n', 200, true],
    ['GET / HTTP/1.1\r\n\r\n', 400, false],
    ['GET / HTTP/1.1\r\nHost: pod.example\r\nHost: test.local\r\n\r\n', 400, false],
    ['GET / HTTP/1.1\r\nHost: test.local\r\nHost: pod.example\r\n\r\n', 400, false],
    ['GET / HTTP/1.1\r\nHost: pod.example/\r\n\r\n', 400, false],
    ['GET / HTTP/1.1\r\nHost: pod.example, test.local\r\n\r\n', 400, false],
    ['OPTIONS * HTTP/1.1\r\nHost: pod.example\r\n\r\n', 204, false],
    ['POST /app/api/session HTTP/1.1\r\nHost: pod.example\r\nContent-Length: 0\r\n\r\n', 404, true],
  ])('%j is %i', async (sent, status, namesShow) => {
    const socket = connect(address.port, address.host);
    socket.write(sent.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    const received = await text(socket);
    expect(Number(/^HTTP\/1.1 (\d+)/.exec(received)?.[1])).toBe(status);
    expect(received.includes('Signals')).toBe(namesShow);
    expect(received.toLowerCase()).not.toContain('set-cookie');
  });
});

describe('a show with a verified domain (DOMAIN-9)', () => {
  it.each([
    ['/listen/signals', 'https://pod.example/'],
    ['/listen/signals/', 'https://pod.example/'],
    ['/listen/signals/first', 'https://pod.example/first'],
    ['/listen/signals/first/?t=5', 'https://pod.example/first'],
    ['/listen/signals/sitemap.xml', 'https://pod.example/sitemap.xml'],
  ])('%s redirects to %s', async (url, location) => {
    const { statusCode, headers } = await get(url);
    expect([statusCode, headers['location'], headers['cache-control']]).toEqual([
      308,
      location,
      'public, max-age=60',
    ]);
  });

  it('pages that are not public do not redirect', async () => {
    await makeEpisode(app.ctx, show, { slug: 'secret', status: 'draft' });
    for (const url of ['/listen/signals/secret', '/listen/signals/none']) {
      expect((await get(url)).statusCode).toBe(404);
    }
  });

  it('the feed at BASE_URL redirects once the owner says so (DOMAIN-10)', async () => {
    const before = await get('/feeds/signals.xml');
    expect(before.statusCode).toBe(200);
    expect(before.body).toContain('<atom:link rel="self" href="https://pod.example/feed.xml"');
    expect((await getOwn('/feed.xml')).body).toBe(before.body);
    await updatePodcast(app.ctx, show.id, { redirectFeed: true });
    const { statusCode, headers } = await get('/feeds/signals.xml');
    expect([statusCode, headers['location']]).toEqual([301, 'https://pod.example/feed.xml']);
    expect((await getOwn('/feed.xml')).statusCode).toBe(200);
    await updatePodcast(app.ctx, show.id, { redirectFeed: false });
    expect((await get('/feeds/signals.xml')).statusCode).toBe(200);
  });

  it('a lost domain is not served, however often it was, and the pages are back', async () => {
    for (const url of ['/', '/first', '/feed.xml']) await getOwn(url);
    await updatePodcast(app.ctx, show.id, { redirectFeed: true });
    await lose();
    for (const url of ['/first', '/feed.xml']) expect((await getOwn(url)).statusCode).toBe(404);
    expect((await getOwn('/')).body).not.toContain('Signals');
    expect((await get('/listen/signals/first')).statusCode).toBe(200);
    const feed = await get('/feeds/signals.xml');
    expect(feed.statusCode).toBe(200);
    expect(feed.body).toContain(
      '<atom:link rel="self" href="https://test.local/feeds/signals.xml"',
    );
    expect(feed.body).not.toContain(host);
    await updatePodcast(app.ctx, show.id, { redirectFeed: false });
    await verify();
    expect((await getOwn('/first')).statusCode).toBe(200);
  });

  it.each(['https://pod.example/feed.xml', 'http://pod.example./feed.xml?from=old'])(
    'a feed that moved to %s before that was verified is there, and still a topic of the hub',
    async (newFeedUrl) => {
      await lose();
      await movePodcast(app.ctx, show.id, { newFeedUrl });
      const before = await get('/feeds/signals.xml');
      expect([before.statusCode, before.headers['location']]).toEqual([301, newFeedUrl]);
      await verify();
      expect((await getOwn('/feed.xml')).statusCode).toBe(200);
      expect((await get('/feeds/signals.xml')).statusCode).toBe(200);
      const { statusCode } = await subscribe('https://pod.example/feed.xml');
      expect(statusCode).toBe(202);
      await setPodcastStatus(app.ctx, show.id, 'active');
    },
  );

  // FEED-20
  it('feeds that redirect to each other since a domain was verified are served', async () => {
    await lose();
    const third = await makePodcast(app.ctx, { slug: 'third' });
    const feedOf = ({ slug }: Podcast) => `https://test.local/feeds/${slug}.xml`;
    const atDomain = `https://${host}/feed.xml`;
    await movePodcast(app.ctx, other.id, { newFeedUrl: atDomain });
    await movePodcast(app.ctx, third.id, { newFeedUrl: feedOf(other) });
    await movePodcast(app.ctx, show.id, { newFeedUrl: feedOf(other) });
    const locationOf = async (url: string) => (await get(url)).headers['location'];
    const paths = ['/feeds/signals.xml', '/feeds/other.xml', '/feeds/third.xml'];
    const locations = () => Promise.all(paths.map(locationOf));
    expect(await locations()).toEqual([feedOf(other), atDomain, feedOf(other)]);
    await verify();
    // The third show is not in the circle, and its subscribers get to a feed.
    expect(await locations()).toEqual([undefined, undefined, feedOf(other)]);
    const bodies = [await get('/feeds/other.xml'), await getOwn('/feed.xml')];
    for (const { statusCode, body } of bodies) {
      expect(statusCode).toBe(200);
      expect(body).not.toContain('new-feed-url');
    }
    // NOTIFY-3: a feed that is served names the hub, which accepts it.
    for (const topic of [feedOf(other), atDomain])
      expect((await subscribe(topic)).statusCode, topic).toBe(202);
    expect((await subscribe(feedOf(third))).statusCode).toBe(400);
    // A show that has not moved ends the circle.
    await setPodcastStatus(app.ctx, other.id, 'active');
    expect(await locations()).toEqual([feedOf(other), undefined, feedOf(other)]);
    expect((await getOwn('/feed.xml')).headers['location']).toBe(feedOf(other));
    await setPodcastStatus(app.ctx, show.id, 'active');
    for (const { id } of [show, other]) await updatePodcast(app.ctx, id, { newFeedUrl: null });
  });

  // FEED-20
  it('a feed cannot move in a circle over own domains and the target of all domains', async () => {
    const third = await makePodcast(app.ctx, { slug: 'fourth' });
    await movePodcast(app.ctx, show.id, { newFeedUrl: 'https://test.local/feeds/other.xml' });
    await movePodcast(app.ctx, other.id, { newFeedUrl: 'https://TEST.local./feeds/fourth.xml' });
    for (const newFeedUrl of [
      `https://${host}/feed.xml`,
      `http://${host.toUpperCase()}.:8080/feed.xml?x=1`,
      'https://test.local/feeds/signals.xml',
      'https://test.local/%66eeds/other.xml',
    ])
      await expect(
        movePodcast(app.ctx, third.id, { newFeedUrl }),
        newFeedUrl,
      ).rejects.toMatchObject({
        details: [{ field: 'new_feed_url', messageKey: 'feed_leads_back' }],
      });
    for (const { id } of [show, other]) {
      await setPodcastStatus(app.ctx, id, 'active');
      await updatePodcast(app.ctx, id, { newFeedUrl: null });
    }
  });

  it('the hub accepts both URLs of the feed, but no domain of nobody', async () => {
    for (const topic of ['https://pod.example/feed.xml', 'https://test.local/feeds/signals.xml'])
      expect((await subscribe(topic)).statusCode, topic).toBe(202);
    for (const topic of [
      ...['https://other.example/feed.xml', 'http://pod.example/feed.xml'],
      ...['https://pod.example/feed.xml?x', 'https://pod.example/', 'https://test.local/feed.xml'],
    ])
      expect((await subscribe(topic)).statusCode, topic).toBe(400);
  });

  it('GUIDs and enclosures stay the same', async () => {
    const facts = (body: string) => body.match(/<(?:guid|podcast:guid|enclosure)[ >][^\n]*/g);
    const verified = facts((await getOwn('/feed.xml')).body);
    await lose();
    expect(facts((await get('/feeds/signals.xml')).body)).toEqual(verified);
    await verify();
  });
});
