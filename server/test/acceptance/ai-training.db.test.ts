import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPreviewLink } from '../../src/domain/public/previews/index.ts';
import { attachExternalAudio, attachTone } from '../../src/domain/publishing/audio/index.ts';
import { drawWaveforms } from '../../src/domain/publishing/audio/waveforms/draw-waveforms.ts';
import { checkDomain, setDomain } from '../../src/domain/publishing/domains/index.ts';
import { attachImage, setPodcastArtwork } from '../../src/domain/publishing/images/index.ts';
import { updatePodcast } from '../../src/domain/publishing/podcasts/index.ts';
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

const records = createDomainRecords();
let app: TestApp;
let address: { readonly host: string; readonly port: number };

/** A show with everything that has a URL. */
interface WholeShow {
  readonly id: string;
  readonly slug: string;
  readonly host: string;
  readonly episodeId: string;
  readonly imageId: string;
  readonly preview: string;
}
let shows: Record<'denying' | 'allowing', readonly WholeShow[]>;

beforeAll(async () => {
  app = await createTestApp({ BASE_URL: 'https://test.local' }, { dns: records });
  const url = new URL(await app.http.server.listen({ port: 0, host: '127.0.0.1' }));
  address = { host: url.hostname, port: Number(url.port) };
  const make = async (aiTraining: 'allow' | 'deny', host?: string) =>
    makeWholeShow(`${aiTraining}-${host === undefined ? 'here' : 'there'}`, aiTraining, host);
  shows = {
    denying: [await make('deny'), await make('deny', 'denies.example')],
    allowing: [await make('allow'), await make('allow', 'allows.example')],
  };
  await drawWaveforms(app.ctx, new AbortController().signal);
});
afterAll(() => app[Symbol.asyncDispose]());

async function makeWholeShow(
  slug: string,
  aiTraining: 'allow' | 'deny',
  host?: string,
): Promise<WholeShow> {
  const { ctx } = app;
  const podcast = await makePodcast(ctx, { slug, aiTraining });
  const { id } = podcast;
  const episode = await makeEpisode(ctx, podcast, { slug: 'first', publishTranscript: true });
  await attachTone(ctx, episode.id, 5);
  const said = parseTranscript('WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n');
  await setTranscript(ctx, episode.id, { ...said, language: 'en' });
  await setFurtherTranscript(ctx, episode.id, { ...said, language: 'de' });
  await setChapters(ctx, episode.id, [{ startMs: 0, title: 'Start' }]);
  const background = { r: slug.length * 7, g: 10, b: aiTraining.length * 9 };
  const picture = sharp({ create: { width: 1400, height: 1400, channels: 3, background } });
  const bytes = await picture.jpeg().toBuffer();
  const image = await attachImage(ctx, { podcastId: id, bytes });
  await setPodcastArtwork(ctx, id, image.id);
  const { url } = await createPreviewLink(ctx, episode.id);
  if (host !== undefined) {
    const { token } = await setDomain(ctx, id, host);
    records.set(host, { txt: token, addresses: [servedAt] });
    expect((await checkDomain(ctx, id)).state).toBe('verified');
    await app.http.domains.settled();
  }
  const preview = new URL(url).pathname;
  return {
    id,
    slug,
    host: host ?? 'test.local',
    episodeId: episode.id,
    imageId: image.id,
    preview,
  };
}

async function ask(host: string, path: string, headers: Record<string, string> = {}) {
  const request = httpGet({ ...address, path, headers: { host, ...headers }, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  await text(response);
  return { statusCode: response.statusCode ?? 0, headers: response.headers };
}

/** What carries a show's statement, by the route's path: where it is. */
const marked: Readonly<Record<string, (show: WholeShow) => readonly string[]>> = {
  '/media/:episode/:file': ({ episodeId }) => [`/media/${episodeId}/first.mp3`],
  '/media/:episode/:marker/:file': ({ episodeId }) => [
    `/media/${episodeId}/f/first.mp3`,
    `/media/${episodeId}/f/first.m4a`,
  ],
  '/transcripts/:file': ({ episodeId }) =>
    ['vtt', 'srt', 'json', 'de.vtt', 'de.srt', 'de.json'].map(
      (end) => `/transcripts/${episodeId}.${end}`,
    ),
  '/chapters/:file': ({ episodeId }) => [`/chapters/${episodeId}.json`],
  '/waveforms/:file': ({ episodeId }) => [`/waveforms/${episodeId}.json`],
  '/images/:file': ({ imageId }) => [`/images/${imageId}.jpg`],
  '/images/:id/:file': ({ imageId }) => [`/images/${imageId}/320.jpg`],
  '/cards/:file': ({ episodeId }) => [`/cards/${episodeId}.jpg`],
  '/ep/:episodeId': ({ episodeId }) => [`/ep/${episodeId}`, `/ep/${episodeId}?layout=compact`],
  '/ep/:episodeId/code': ({ episodeId }) => [`/ep/${episodeId}/code`],
  '/latest/:podcastSlug': ({ slug }) => [`/latest/${slug}`],
  '/preview/:token': ({ preview }) => [preview],
  '/preview/:token/audio': ({ preview }) => [`${preview}/audio`],
  '/preview/:token/images/:imageId/:file': ({ preview, imageId }) => [
    `${preview}/images/${imageId}/320.jpg`,
  ],
  '/preview/:token/:file': ({ preview }) => [
    `${preview}/transcript.vtt`,
    `${preview}/chapters.json`,
    `${preview}/waveform.json`,
  ],
  '/listen/:slug': ({ slug }) =>
    ['', '?q=first', '?order=oldest'].map((query) => `/listen/${slug}${query}`),
  '/listen/:slug/:episode': ({ slug }) => [`/listen/${slug}/first`],
  '/@:host/': () => ['/', '/?q=first', '/?order=oldest'],
  '/@:host/:episode': () => ['/first'],
};

/** Redirects to pages, lists of what a show has, and what belongs to no show. */
const unmarked = [
  ...['/feeds/:file', '/@:host/feed.xml', '/listen/:slug/sitemap.xml', '/@:host/sitemap.xml'],
  ...['/listen/:slug/', '/listen/:slug/:episode/', '/@:host/:episode/', '/@:host/robots.txt'],
  ...['/player/v1.json', '/player/:file', '/app/assets/:file', '/app/worker.js'],
  // Comments are the words of others.
  ...['/sitemap.xml', '/comments/:episode'],
  ...['/', '/robots.txt', '/favicon.svg', '/favicon.ico', '/healthz', '/readyz'],
];

const paths = createRoutes({})
  .filter(({ access, method }) => access === 'public' && method === 'GET')
  .map(({ path }) => path)
  .filter((path) => !path.startsWith('/v1/') && !/^\/docs(?:\/|$)/.test(path));
const listOf = (path: string) => marked[path] ?? marked[path.replace('/@:host', '')];
const isUnmarked = (path: string) =>
  unmarked.includes(path) || unmarked.includes(path.replace('/@:host', ''));
/** Listen pages of a show with a domain are on that, and nothing else is there. */
const isAt = (path: string, { host }: WholeShow) =>
  path.startsWith('/@:host') === (host !== 'test.local');

describe('what a show says to those who train AI models (PAGE-18)', () => {
  it('every public route of a show has its place in this test', () => {
    expect(paths.filter((path) => listOf(path) === undefined && !isUnmarked(path))).toEqual([]);
  });

  const walked = paths.filter((path) => listOf(path) !== undefined);
  it.each(walked)(
    '%s carries the statement of a show that denies training, and no other',
    async (path) => {
      for (const [kind, all] of Object.entries(shows)) {
        for (const show of all.filter((one) => isAt(path, one))) {
          for (const url of listOf(path)?.(show) ?? []) await expectStatement(kind, show, url);
        }
      }
    },
  );

  /** Also from the cache, for parts of a file, and if the client has it already. */
  async function expectStatement(kind: string, { host }: WholeShow, url: string) {
    const noindex = url.startsWith('/preview/') ? ['noindex'] : [];
    const denied = [...noindex, 'noai', 'noimageai'].join(', ');
    const wanted =
      kind === 'denying' ? [denied, '1'] : [noindex.length > 0 ? 'noindex' : undefined, undefined];
    const first = await ask(host, url);
    expect(first.statusCode, url).toBeLessThan(400);
    const { etag = '' } = first.headers;
    const variants = [{}, { 'accept-encoding': 'br' }, { range: 'bytes=0-9' }];
    const known = etag === '' ? [] : [{ 'if-none-match': etag }];
    for (const headers of [{}, ...variants, { range: 'bytes=0-1,4-5' }, ...known]) {
      const { statusCode, headers: sent } = await ask(host, url, headers);
      expect(statusCode, url).toBeLessThan(400);
      if (headers === known[0]) expect(statusCode).toBe(304);
      expect([sent['x-robots-tag'], sent['tdm-reservation']], `${host}${url}`).toEqual(wanted);
    }
  }

  it('a change of the statement reaches clients that have the file already', async () => {
    const [show] = shows.allowing;
    const url = `/media/${show?.episodeId}/f/first.mp3`;
    for (const path of [url, `/transcripts/${show?.episodeId}.vtt`, `/listen/${show?.slug}`]) {
      const { etag = '' } = (await ask('test.local', path)).headers;
      await updatePodcast(app.ctx, show?.id ?? '', { aiTraining: 'deny' });
      const known = await ask('test.local', path, { 'if-none-match': etag });
      expect([known.statusCode, known.headers['x-robots-tag']]).toEqual([304, 'noai, noimageai']);
      await updatePodcast(app.ctx, show?.id ?? '', { aiTraining: 'allow' });
      const { headers } = await ask('test.local', path);
      expect(headers).not.toHaveProperty('tdm-reservation');
    }
  });

  it('audio at another host is redirected to with the statement', async () => {
    const podcast = await makePodcast(app.ctx, { aiTraining: 'deny' });
    const { id } = await makeEpisode(app.ctx, podcast, { slug: 'elsewhere' });
    const url = 'https://audio.example/a.mp3';
    await attachExternalAudio(app.ctx, id, {
      url,
      declaredType: 'audio/mpeg',
      sizeBytes: 1000,
      durationMs: 1000,
    });
    const { statusCode, headers } = await ask('test.local', `/media/${id}/f/elsewhere.mp3`);
    expect([statusCode, headers.location]).toEqual([302, url]);
    expect(headers).toMatchObject({ 'x-robots-tag': 'noai, noimageai', 'tdm-reservation': '1' });
  });

  it('robots.txt of an own domain has a signal if its show denies training', async () => {
    const robots = async (host: string) => {
      const response = await app.request({ method: 'GET', url: '/robots.txt', headers: { host } });
      return response.body;
    };
    expect(await robots('denies.example')).toBe(
      'User-agent: *\nContent-Signal: ai-train=no\nAllow: /\nSitemap: https://denies.example/sitemap.xml\n',
    );
    expect(await robots('allows.example')).toBe(
      'User-agent: *\nAllow: /\nSitemap: https://allows.example/sitemap.xml\n',
    );
  });
});
