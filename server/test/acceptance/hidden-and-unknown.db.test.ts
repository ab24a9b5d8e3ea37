import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import { pausePodcast } from '../../src/domain/publishing/podcasts/index.ts';
import { parseTranscript, setTranscript } from '../../src/domain/publishing/transcripts/index.ts';
import { newId } from '../../src/lib/uuid.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import { makeEpisode, makePodcast } from '../make.ts';

interface Named {
  readonly show: string;
  readonly episode: string;
  readonly id: string;
  /** An episode that was never public. */
  readonly draftId: string;
}

let app: TestApp;
/** A show that was never public, one that is paused, and one that does not exist. */
let draft: Named;
let paused: Named;
const unknown: Named = { show: 'nothing', episode: 'one', id: newId(), draftId: newId() };

async function makeHidden(slug: string, status: 'draft' | 'active'): Promise<Named> {
  const podcast = await makePodcast(app.ctx, { slug, status });
  const content = { slug: 'one', status: 'published', publishTranscript: true } as const;
  const { id } = await makeEpisode(app.ctx, podcast, content);
  const { id: draftId } = await makeEpisode(app.ctx, podcast, { slug: 'unseen', status: 'draft' });
  await attachTone(app.ctx, id, 1);
  const words = parseTranscript('WEBVTT\n\n00:00.000 --> 00:01.000\nWords\n');
  await setTranscript(app.ctx, id, { ...words, language: 'en' });
  if (status === 'active') await pausePodcast(app.ctx, podcast.id);
  return { show: slug, episode: 'one', id, draftId };
}

beforeAll(async () => {
  app = await createTestApp();
  draft = await makeHidden('draft-show', 'draft');
  paused = await makeHidden('paused-show', 'active');
});
afterAll(() => app[Symbol.asyncDispose]());

/** The response without its id and the names in the address, which differ for each request. */
async function responseTo(path: (named: Named) => string, named: Named): Promise<unknown> {
  const { statusCode, headers, body } = await app.request({ method: 'GET', url: path(named) });
  const { date: _date, 'x-request-id': requestId, ...others } = headers;
  const text = [String(requestId), named.show, named.id, named.draftId].reduce(
    (rest, name) => rest.replaceAll(name, '…'),
    body,
  );
  return { statusCode, headers: { ...others, 'content-length': text.length }, text };
}

// PUB-12, STATE-1, STATE-6
it.each<[string, (named: Named) => string]>([
  ['the podcast', ({ show }) => `/v1/podcasts/${show}`],
  ['its episodes', ({ show }) => `/v1/podcasts/${show}/episodes`],
  ['its newest episode', ({ show }) => `/v1/podcasts/${show}/episodes/latest`],
  ['an episode', ({ show, id }) => `/v1/podcasts/${show}/episodes/${id}`],
  ['an episode by its id', ({ id }) => `/v1/episodes/${id}`],
  [
    'oEmbed',
    ({ show }) => `/v1/oembed?url=${encodeURIComponent(`http://test.local/listen/${show}`)}`,
  ],
  ['the player of a draft', ({ draftId }) => `/ep/${draftId}`],
])('%s: a hidden show has the same response as an unknown one', async (_name, path) => {
  const expected = await responseTo(path, unknown);
  expect(expected).toMatchObject({ statusCode: 404 });
  expect(await responseTo(path, draft)).toEqual(expected);
  expect(await responseTo(path, paused)).toEqual(expected);
});

// STATE-1
it.each<[string, (named: Named) => string]>([
  ['the listen page', ({ show }) => `/listen/${show}`],
  ['an episode page', ({ show, episode }) => `/listen/${show}/${episode}`],
  ['the player', ({ id }) => `/ep/${id}`],
  ['the player of the newest', ({ show }) => `/latest/${show}`],
])(
  '%s: a show that was never public is like an unknown one, and a paused one is named',
  async (_name, path) => {
    const expected = await responseTo(path, unknown);
    expect(expected).toMatchObject({ statusCode: 404 });
    expect(await responseTo(path, draft)).toEqual(expected);
    const { statusCode, headers, body } = await app.request({ method: 'GET', url: path(paused) });
    expect(statusCode).toBe(404);
    expect(headers['cache-control']).toBe('no-store');
    expect(body).toContain(' is taking a break');
    expect(body).not.toContain('Page not found');
  },
);

it.each(['', '/'])(
  'a draft of a paused show has the same page as an unknown episode (%j)',
  async (end) => {
    const missing = await responseTo(({ show }) => `/listen/${show}/nothing${end}`, paused);
    expect(missing).toMatchObject({ statusCode: 404 });
    expect(await responseTo(({ show }) => `/listen/${show}/unseen${end}`, paused)).toEqual(missing);
  },
);

it('an episode that became public during a pause has the same response as an unknown one', async () => {
  const podcast = await makePodcast(app.ctx, { slug: 'paused-early' });
  await pausePodcast(app.ctx, podcast.id);
  app.clock.advance(1000);
  const { id } = await makeEpisode(app.ctx, podcast, {
    ...{ slug: 'late', status: 'published' },
    publishedAt: app.clock.now(),
  });
  const named = { show: 'paused-early', episode: 'late', id, draftId: newId() };
  const player = ({ id: wanted }: Named) => `/ep/${wanted}`;
  expect(await responseTo(player, named)).toEqual(await responseTo(player, unknown));
  const page = (slug: string) => responseTo(({ show }) => `/listen/${show}/${slug}`, named);
  expect(await page('late')).toEqual(await page('nothing'));
});

// STATE-1, STATE-6
it.each<[string, (named: Named) => string]>([
  ['the feed', ({ show }) => `/feeds/${show}.xml`],
  ['a transcript', ({ id }) => `/transcripts/${id}.vtt`],
  ['chapters', ({ id }) => `/chapters/${id}.json`],
])('%s: a draft has the same response as an unknown episode', async (_name, path) => {
  const expected = await responseTo(path, unknown);
  expect(expected).toMatchObject({ statusCode: 404 });
  expect(await responseTo(path, draft)).toEqual(expected);
});

/** What a URL names: an episode of a public show. */
interface NamedEpisode {
  readonly slug: string;
  readonly id: string;
}

// PUB-12, STATE-6
describe('an episode of a public show', () => {
  let hidden: NamedEpisode;
  beforeAll(async () => {
    const podcast = await makePodcast(app.ctx, { slug: 'public-show' });
    const content = { slug: 'unseen-draft', status: 'draft', publishTranscript: true } as const;
    const { id } = await makeEpisode(app.ctx, podcast, content);
    const words = parseTranscript('WEBVTT\n\n00:00.000 --> 00:01.000\nWords\n');
    await setTranscript(app.ctx, id, { ...words, language: 'en' });
    hidden = { slug: content.slug, id };
    await makeEpisode(app.ctx, podcast, { slug: 'shown' });
  });
  const page = ({ slug }: NamedEpisode) => `/listen/public-show/${slug}`;

  it.each<[string, (named: NamedEpisode) => string]>([
    ['page', page],
    ['page with a final slash', (named) => `${page(named)}/`],
    ['page with all of the transcript', (named) => `${page(named)}?transcript=all`],
    ['player', ({ id }) => `/ep/${id}`],
    ['code of the player', ({ id }) => `/ep/${id}/code`],
    ['card', ({ id }) => `/cards/${id}.jpg`],
    ['card of a quote', ({ id }) => `/cards/${id}.jpg?t=0`],
    ['comments', ({ id }) => `/comments/${id}`],
    ['data', ({ slug }) => `/v1/podcasts/public-show/episodes/${slug}`],
    [
      'oEmbed response',
      (named) => `/v1/oembed?url=${encodeURIComponent(`http://test.local${page(named)}`)}`,
    ],
  ])('the %s of a draft is like that of an unknown episode', async (_, path) => {
    const read = ({ slug, id }: NamedEpisode) =>
      responseTo(() => path({ slug, id }), { ...unknown, show: slug, id });
    const expected = await read({ slug: 'nothing-at-all', id: newId() });
    expect(expected).toMatchObject({ statusCode: 404 });
    expect(await read(hidden)).toEqual(expected);
  });
});
