import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import { checkDomain, setDomain } from '../../src/domain/publishing/domains/index.ts';
import { type Episode, updateEpisode } from '../../src/domain/publishing/episodes/index.ts';
import {
  attachImage,
  imageVariantKey,
  setPodcastArtwork,
} from '../../src/domain/publishing/images/index.ts';
import {
  type Podcast,
  pausePodcast,
  resumePodcast,
  suspendPodcast,
  updatePodcast,
} from '../../src/domain/publishing/podcasts/index.ts';
import { parseTranscript, setTranscript } from '../../src/domain/publishing/transcripts/index.ts';
import { newId } from '../../src/lib/uuid.ts';
import { createMemoryLimiter } from '../../src/platform/rate-limiter/create-memory-limiter.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import { createDomainRecords, servedAt } from '../hosts/domain-records.ts';
import { makeEpisode, makePodcast } from '../make.ts';

const records = createDomainRecords();
let app: TestApp;
let show: Podcast;
let episode: Episode;

beforeAll(async () => {
  app = await createTestApp({ BASE_URL: 'https://test.local' }, { dns: records });
  show = await makePodcast(app.ctx, { slug: 'signals', title: 'Night Signals' });
  const picture = sharp({
    create: { width: 700, height: 700, channels: 3, background: '#d01010' },
  });
  const bytes = await picture.png().toBuffer();
  const { id } = await attachImage(app.ctx, { podcastId: show.id, bytes });
  await setPodcastArtwork(app.ctx, show.id, id);
  episode = await makeEpisode(app.ctx, show, { slug: 'first', publishTranscript: true });
  await attachTone(app.ctx, episode.id, 60);
  const words =
    'WEBVTT\n\n00:00.000 --> 00:04.000\n<v Ana>Welcome to the show.\n\n00:05.500 --> 00:09.000\n<v Bo>Thank you.\n';
  await setTranscript(app.ctx, episode.id, { ...parseTranscript(words), language: 'en' });
});
afterAll(() => app[Symbol.asyncDispose]());

const get = (url: string, headers: Record<string, string> = {}) =>
  app.request({
    ...{ method: 'GET', url: url.replace('https://test.local', '') },
    headers: { host: 'test.local', ...headers },
  });

/** The URL of the card that a page names. */
async function cardOf(page: string): Promise<string> {
  const { body } = await get(page);
  return (
    /<meta property="og:image" content="([^"]+)"/.exec(body)?.[1]?.replaceAll('&amp;', '&') ?? ''
  );
}

// PAGE-16, PAGE-17
describe('the card that a page names', () => {
  it.each([
    ['/listen/signals', () => show.id],
    ['/listen/signals/first', () => episode.id],
  ])('the card that a page names is a picture of it: %s', async (page, id) => {
    const url = await cardOf(page);
    expect(url).toContain(`https://test.local/cards/${id()}.jpg?v=`);
    const { statusCode, headers, rawPayload } = await get(url);
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'public, max-age=60',
      'access-control-allow-origin': '*',
    });
    expect(rawPayload.length).toBeLessThanOrEqual(61_440);
    expect(await sharp(rawPayload).metadata()).toMatchObject({ width: 1200, height: 630 });
    const known = await get(url, { 'if-none-match': String(headers['etag']) });
    expect([known.statusCode, known.body]).toEqual([304, '']);
    const head = await app.request({
      ...{ method: 'HEAD', url: url.replace('https://test.local', '') },
      headers: { host: 'test.local' },
    });
    expect([head.statusCode, head.headers['etag']]).toEqual([200, headers['etag']]);
  });

  it('the card that a page names has another URL after a change of what it shows', async () => {
    const [before, other] = [
      await cardOf('/listen/signals/first'),
      await cardOf('/listen/signals'),
    ];
    const first = await get(before);
    await updateEpisode(app.ctx, episode.id, { description: 'Not on the card.' });
    expect(await cardOf('/listen/signals/first')).toBe(before);
    await updateEpisode(app.ctx, episode.id, { title: 'Another title' });
    const after = await cardOf('/listen/signals/first');
    expect(after).not.toBe(before);
    expect((await get(after)).headers['etag']).not.toBe(first.headers['etag']);
    expect(await cardOf('/listen/signals')).toBe(other);
    await updatePodcast(app.ctx, show.id, { title: 'Day Signals' });
    expect(await cardOf('/listen/signals')).not.toBe(other);
  });
});

// PAGE-16
it('a card is drawn without a cover whose file is missing', async () => {
  const podcast = await makePodcast(app.ctx, { title: 'Without a file' });
  const create = { width: 800, height: 800, channels: 3, background: '#1010d0' } as const;
  const bytes = await sharp({ create }).png().toBuffer();
  const { id } = await attachImage(app.ctx, { podcastId: podcast.id, bytes });
  await setPodcastArtwork(app.ctx, podcast.id, id);
  await app.ctx.blobs.delete(imageVariantKey(id, 640));
  const { statusCode, rawPayload } = await get(`/cards/${podcast.id}.jpg`);
  expect(statusCode).toBe(200);
  expect(await sharp(rawPayload).metadata()).toMatchObject({ width: 1200, height: 630 });
});

// PAGE-16
describe('the card of a quote', () => {
  it('the card of a quote has what is said at a second', async () => {
    const at = async (second: string) => get(`/cards/${episode.id}.jpg?t=${second}`);
    const welcome = await at('0');
    expect(welcome.statusCode).toBe(200);
    expect(await sharp(welcome.rawPayload).metadata()).toMatchObject({ width: 1200, height: 630 });
    expect((await at('3')).headers['etag']).toBe(welcome.headers['etag']);
    // The segment begins half a second later: its link says 5.
    const thanks = await at('5');
    expect(thanks.headers['etag']).not.toBe(welcome.headers['etag']);
    expect((await at('40')).statusCode).toBe(404);
    for (const wrong of ['-1', 'x', '1.5', '']) expect((await at(wrong)).statusCode).toBe(400);
    expect((await get(`/cards/${show.id}.jpg?t=0`)).statusCode).toBe(404);
  });

  it('the card of a quote is public only with its transcript', async () => {
    await updateEpisode(app.ctx, episode.id, { publishTranscript: false });
    expect((await get(`/cards/${episode.id}.jpg?t=0`)).statusCode).toBe(404);
    await updateEpisode(app.ctx, episode.id, { publishTranscript: true });
    expect((await get(`/cards/${episode.id}.jpg?t=0`)).statusCode).toBe(200);
  });
});

// STATE-1, STATE-6, STATE-14
describe('a card that is not public', () => {
  it('a card that is not public is like one that does not exist', async () => {
    const hidden = await makePodcast(app.ctx, { status: 'draft' });
    const [inHidden, draft] = [
      await makeEpisode(app.ctx, hidden),
      await makeEpisode(app.ctx, show, { status: 'draft' }),
    ];
    for (const id of [newId(), hidden.id, inHidden.id, draft.id]) {
      const { statusCode, json } = await get(`/cards/${id}.jpg`);
      expect([statusCode, json().error.message]).toEqual([404, 'There is no such podcast.']);
    }
    for (const name of [
      `${show.id}.png`,
      `${show.id.toUpperCase()}.jpg`,
      `${show.id}.jpg.jpg`,
      'x.jpg',
    ])
      expect((await get(`/cards/${name}`)).statusCode, name).toBe(404);
  });

  it('a card that is not public follows the files of its show', async () => {
    const other = await makePodcast(app.ctx);
    const status = async () => (await get(`/cards/${other.id}.jpg`)).statusCode;
    await pausePodcast(app.ctx, other.id);
    expect(await status()).toBe(200);
    await resumePodcast(app.ctx, other.id);
    await suspendPodcast(app.ctx, other.id);
    expect(await status()).toBe(403);
  });
});

// FEED-19
describe('the pictures for links in the feed', () => {
  const pictures = async (slug: string) =>
    (await get(`/feeds/${slug}.xml`)).body
      .split('\n')
      .flatMap((line) => line.match(/<podcast:image [^>]*purpose="[^"]*social[^>]*>/g) ?? []);
  const card = (url: string) =>
    `<podcast:image href="${url}" purpose="social" ` +
    'aspect-ratio="1200/630" width="1200" height="630" type="image/jpeg"/>';
  const social = (href: string, purpose = 'social') => ({
    name: 'podcast:image',
    attributes: Object.entries({ href, purpose }),
    ...{ text: '', children: [] },
  });
  const written = ({ attributes }: ReturnType<typeof social>) =>
    `<podcast:image ${attributes.map(([name, value]) => `${name}="${value}"`).join(' ')}/>`;
  const chosen = social('https://a.example/wide.jpg', 'artwork social');
  const elsewhere = social(`https://other.example/cards/${newId()}.jpg?v=abc`);

  it('the pictures for links in the feed are the cards of the show and its episodes', async () => {
    expect(await pictures('signals')).toEqual([
      card(await cardOf('/listen/signals')),
      card(await cardOf('/listen/signals/first')),
    ]);
  });

  it('a picture for links that somebody chose replaces the card of a show or episode', async () => {
    const extraElements = [chosen];
    const other = await makePodcast(app.ctx, { slug: 'chosen', extraElements });
    for (const input of [{ extraElements }, { slug: 'with-card' }]) {
      await attachTone(app.ctx, (await makeEpisode(app.ctx, other, input)).id, 1);
    }
    const all = [written(chosen), written(chosen), card(await cardOf('/listen/chosen/with-card'))];
    expect((await pictures('chosen')).sort()).toEqual(all.sort());
  });

  it('the card of another installation is replaced in the feed', async () => {
    const extraElements = [elsewhere];
    const other = await makePodcast(app.ctx, { slug: 'moved', extraElements });
    const { id, slug } = await makeEpisode(app.ctx, other, { extraElements });
    await attachTone(app.ctx, id, 1);
    expect(await pictures('moved')).toEqual([
      card(await cardOf('/listen/moved')),
      card(await cardOf(`/listen/moved/${slug}`)),
    ]);
  });
});

// LIM-1, LIM-3
it('cards count towards the public limit only while they are drawn', async () => {
  await using limited = await createTestApp(
    {},
    { limits: { public: createMemoryLimiter({ limit: 2 }) } },
  );
  const shows = [];
  for (const title of ['One', 'Two', 'Three'])
    shows.push(await makePodcast(limited.ctx, { title }));
  const statuses = [];
  for (const { id } of [...shows, ...shows.slice(0, 2)]) {
    const { statusCode } = await limited.request({ method: 'GET', url: `/cards/${id}.jpg` });
    statuses.push(statusCode);
  }
  expect(statuses).toEqual([200, 200, 429, 200, 200]);
});

// DOMAIN-7
it('cards are at the own domain of their show, and no others', async () => {
  const foreign = await makePodcast(app.ctx);
  const { token } = await setDomain(app.ctx, show.id, 'pod.example');
  records.set('pod.example', { txt: token, addresses: [servedAt] });
  expect((await checkDomain(app.ctx, show.id)).state).toBe('verified');
  await app.http.domains.settled();
  const status = async (id: string) =>
    (await get(`/cards/${id}.jpg`, { host: 'pod.example' })).statusCode;
  expect(await status(show.id)).toBe(200);
  expect(await status(episode.id)).toBe(200);
  expect([await status(foreign.id), await status(newId())]).toEqual([404, 404]);
});
