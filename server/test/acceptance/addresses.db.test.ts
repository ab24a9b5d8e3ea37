import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { LRUCache } from 'lru-cache';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import { drawWaveforms } from '../../src/domain/publishing/audio/waveforms/draw-waveforms.ts';
import { checkDomain, setDomain } from '../../src/domain/publishing/domains/index.ts';
import { attachImage, setPodcastArtwork } from '../../src/domain/publishing/images/index.ts';
import {
  parseTranscript,
  setChapters,
  setFurtherTranscript,
  setTranscript,
} from '../../src/domain/publishing/transcripts/index.ts';
import { createRoutes } from '../../src/http/routes.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import { createDomainRecords, servedAt } from '../hosts/domain-records.ts';
import { makeEpisode, makePodcast } from '../make.ts';

/** Another spelling of an address gets the same cached response, or none. */
let app: TestApp;
let port: number;
let addresses: Readonly<Record<string, string>>;
let furtherTranscript: string;
const records = createDomainRecords();
const domain = 'pod.example';
/** Routes at a show's own domain begin with this. */
const ownPrefix = '/@:host';

/** Not previews, which are never cached, nor the app, whose files have fixed names. */
const isWalked = (path: string) => !/^\/(?:preview|app)\//.test(path);
const publicPaths = createRoutes({})
  .filter(({ method, access }) => method === 'GET' && access === 'public')
  .map(({ path }) => path)
  .filter(isWalked);

beforeAll(async () => {
  app = await createTestApp({ PUBLIC_DIRECTORY: 'on' }, { dns: records });
  const own = await makeShow('own-signals');
  const { token } = await setDomain(app.ctx, own.show, domain);
  records.set(domain, { txt: token, addresses: [servedAt] });
  await checkDomain(app.ctx, own.show);
  await app.http.domains.settled();
  const { show, episode, image } = await makeShow('night-signals');
  port = Number(new URL(await app.http.server.listen({ port: 0, host: '127.0.0.1' })).port);
  addresses = {
    ...addressesOf(show, episode, image),
    ...atDomain(addressesOf(own.show, own.episode, own.image)),
  };
  furtherTranscript = `/transcripts/${episode}.pt-BR.vtt`;
});

/** Its address is not public, so that nothing is requested. */
const discussion = {
  name: 'podcast:socialInteract',
  attributes: [
    ['protocol', 'activitypub'],
    ['uri', 'https://127.0.0.1/@show/1'],
  ],
  text: '',
  children: [],
} as const;

/** A show with a file of every kind; resolves to ids. */
async function makeShow(slug: string) {
  const show = await makePodcast(app.ctx, { slug, description: 'x'.repeat(900) });
  const episode = await makeEpisode(app.ctx, show, {
    slug: 'first-light',
    publishTranscript: true,
    extraElements: [discussion],
  });
  await attachTone(app.ctx, episode.id, 1);
  const vtt = 'WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n';
  await setTranscript(app.ctx, episode.id, { ...parseTranscript(vtt), language: 'en' });
  const further = { ...parseTranscript(vtt), language: 'pt-BR' };
  await setFurtherTranscript(app.ctx, episode.id, further);
  await setChapters(app.ctx, episode.id, [{ startMs: 0, title: 'Start' }]);
  await drawWaveforms(app.ctx, new AbortController().signal);
  const black = { create: { width: 700, height: 700, channels: 3, background: 'black' } } as const;
  const bytes = await sharp(black).png().toBuffer();
  const image = await attachImage(app.ctx, { podcastId: show.id, bytes });
  await setPodcastArtwork(app.ctx, show.id, image.id);
  return { show: show.id, episode: episode.id, image: image.id };
}
afterAll(() => app[Symbol.asyncDispose]());
afterEach(() => vi.restoreAllMocks());

/** An existing address for every public route. */
function addressesOf(show: string, episode: string, image: string): Record<string, string> {
  const page = encodeURIComponent('http://test.local/listen/night-signals');
  const fixed = publicPaths.filter((path) => !path.includes(':') && path !== '/v1/oembed');
  return {
    ...Object.fromEntries(fixed.map((path) => [path, path])),
    '/v1/oembed': `/v1/oembed?url=${page}`,
    '/v1/podcasts/:slug': `/v1/podcasts/${show}`,
    '/v1/podcasts/:slug/episodes': `/v1/podcasts/${show}/episodes`,
    '/v1/podcasts/:slug/episodes/latest': '/v1/podcasts/night-signals/episodes/latest',
    '/v1/podcasts/:slug/episodes/:ref': `/v1/podcasts/${show}/episodes/${episode}`,
    '/v1/episodes/:id': `/v1/episodes/${episode}`,
    '/feeds/:file': '/feeds/night-signals.xml',
    '/media/:episode/:file': `/media/${episode}/first-light.mp3`,
    '/media/:episode/:marker/:file': `/media/${episode}/p/first-light.mp3`,
    '/images/:file': `/images/${image}.png`,
    '/images/:id/:file': `/images/${image}/320.jpg`,
    '/transcripts/:file': `/transcripts/${episode}.vtt`,
    '/chapters/:file': `/chapters/${episode}.json`,
    '/waveforms/:file': `/waveforms/${episode}.json`,
    '/cards/:file': `/cards/${episode}.jpg`,
    '/comments/:episode': `/comments/${episode}`,
    '/player/:file': '/player/v1.js',
    '/ep/:episodeId': `/ep/${episode}`,
    '/ep/:episodeId/code': `/ep/${episode}/code`,
    '/latest/:podcastSlug': `/latest/${show}`,
    '/listen/:slug': '/listen/night-signals',
    '/listen/:slug/sitemap.xml': '/listen/night-signals/sitemap.xml',
    '/listen/:slug/:episode': '/listen/night-signals/first-light',
  };
}

/** The addresses of the same files at the own domain, and those that only it has. */
function atDomain(atBase: Readonly<Record<string, string>>): Record<string, string> {
  const own = publicPaths.filter((path) => path.startsWith(ownPrefix) && isAddress(path));
  const pages: Record<string, string> = { '/:episode': '/first-light' };
  return Object.fromEntries(
    own.map((path) => {
      const below = path.slice(ownPrefix.length);
      return [path, pages[below] ?? atBase[below] ?? below];
    }),
  );
}

/** The others are those with a slash too many. */
const isAddress = (path: string) => !path.endsWith('/') || path === '/' || path === `${ownPrefix}/`;

/** Other spellings of an address. The server must not cache any of them separately. */
function alteredForms(address: string, host: string): string[] {
  const [path = '', query] = address.split('?');
  const rest = query === undefined ? '' : `?${query}`;
  const segments = path.split('/').slice(1);
  const inEach = (alter: (segment: string) => string) =>
    segments.map(
      (_, at) =>
        `/${segments.map((segment, i) => (i === at ? alter(segment) : segment)).join('/')}`,
    );
  const paths = [
    ...inEach((segment) => segment.toUpperCase()),
    ...inEach((segment) => segment.replace(/[a-f]/, (letter) => letter.toUpperCase())),
    ...inEach((segment) => segment.replace(/[a-z0-9]/, escapeByte)),
    ...inEach((segment) => segment.replaceAll('.', '%2e').replaceAll('-', '%2D')),
    ...inEach((segment) => segment.replace(/[a-z]/, toFullWidth)),
    ...inEach((segment) => `/${segment}`),
    ...inEach((segment) => `./${segment}`),
    ...inEach((segment) => `x/../${segment}`),
    ...inEach((segment) => `${segment}/`),
    ...[
      '.',
      '..',
      '.junk',
      '.vtt',
      '.json',
      '%20',
      '%00',
      '%0a',
      ';x',
      ':',
      ',',
      '~',
      '%2e%2f',
    ].map((end) => path + end),
    ...['/', '//', '/.', '/..', '%2F', '%5c', '\\', '%', '%2', '%ff'].map((end) => path + end),
    `http://${host}${path}`,
    `${path}#x`,
  ];
  const queries = [
    `${path}${rest || '?'}`,
    `${path}${rest || '?x'}&x=1`,
    `${path}${rest || '?'}&&`,
  ];
  return [...new Set([...paths.map((altered) => altered + rest), ...queries])].filter(
    (altered) => altered !== address,
  );
}

const escapeByte = (letter: string) => `%${letter.charCodeAt(0).toString(16)}`;
const toFullWidth = (letter: string) =>
  encodeURIComponent(String.fromCharCode(letter.charCodeAt(0) + 0xfee0));

/** Sends the path over a socket, because the usual test request would normalize it. */
async function get(path: string, host: string) {
  const asked = request({ port, path, headers: { host } }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const { statusCode = 0, headers } = response;
  return { statusCode, location: headers.location, body: await text(response) };
}

it('the examples cover every public route', () => {
  expect(Object.keys(addresses).sort()).toEqual(publicPaths.filter(isAddress).sort());
});

const itHasOneAddress = (name: string, addressOf: () => string, host = 'other.example') =>
  // STATE-14
  it(`${name} has one address: others are refused, redirected or have the same response`, async () => {
    const address = addressOf();
    const usual = await get(address, host);
    expect(usual.statusCode).toBe(200);
    await get(address, host);
    // A page that does not exist names the newest episode, which is kept once for each show.
    await get(`${address}//`, host);
    const kept: unknown[] = [];
    const keep = LRUCache.prototype.set;
    vi.spyOn(LRUCache.prototype, 'set').mockImplementation(function (this: unknown, ...given) {
      kept.push(given[0]);
      return keep.apply(this as never, given as never) as never;
    });
    for (const altered of alteredForms(address, host)) {
      const { statusCode, location, body } = await get(altered, host);
      expect([200, 301, 302, 400, 404], altered).toContain(statusCode);
      if (statusCode === 200) expect(body, altered).toBe(usual.body);
      if (location !== undefined) {
        const { pathname } = new URL(location, 'http://test.local');
        expect(pathname, altered).toBe(address.split('?', 1)[0]);
      }
      expect(kept, altered).toEqual([]);
    }
  });

for (const path of publicPaths.filter(isAddress)) {
  const host = path.startsWith(ownPrefix) ? domain : undefined;
  itHasOneAddress(path, () => addresses[path] ?? '', host);
}
itHasOneAddress('a transcript in a further language', () => furtherTranscript);
