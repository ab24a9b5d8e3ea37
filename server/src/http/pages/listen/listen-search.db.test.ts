import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/create-test-app.ts';
import { makeEpisode, makePodcast } from '../../../../test/make.ts';
import { indexEpisodes } from '../../../domain/public/search/index.ts';
import { attachTone } from '../../../domain/publishing/audio/index.ts';
import type { Episode, NewEpisode } from '../../../domain/publishing/episodes/index.ts';
import type { Podcast } from '../../../domain/publishing/podcasts/index.ts';
import { setTranscript } from '../../../domain/publishing/transcripts/index.ts';
import { createMemoryLimiter } from '../../../platform/rate-limiter/create-memory-limiter.ts';

let app: TestApp;
let show: Podcast;
let offers = 0;
const count = 70;

beforeAll(async () => {
  app = await createTestApp();
  show = await makePodcast(app.ctx, { slug: 'signals', language: 'en' });
  for (let n = 1; n <= count; n += 1) await makeNumbered(show, n);
  const one = await makeEpisode(app.ctx, show, {
    ...{ slug: 'spoken', title: 'Spoken <b>', publishTranscript: true, season: 3 },
  });
  const segments = [
    { startMs: 0, endMs: 9_000, speaker: 'Ana', text: 'Hello.' },
    { startMs: 754_500, endMs: 760_000, speaker: 'Bo & Co', text: 'The <i>lynx</i> was here.' },
  ];
  const transcript = { segments, language: 'en', wordCount: 5, durationMs: 760_000 };
  await setTranscript(app.ctx, one.id, transcript);
  await indexEpisodes(app.ctx);
});
afterAll(() => app[Symbol.asyncDispose]());

/** One a month, in three seasons. */
function makeNumbered(of: Podcast, n: number, input: Partial<NewEpisode> = {}): Promise<Episode> {
  const publishedAt = new Date(Date.UTC(2020, n - 1, 2));
  const season = 1 + Math.floor((n - 1) / 30);
  return makeEpisode(app.ctx, of, {
    ...{ slug: `e${n}`, title: `Number ${n}`, season, publishedAt, ...input },
  });
}

const get = (url: string) => app.request({ method: 'GET', url });

/** The slugs of the episodes on a page, in order. */
async function listed(url: string): Promise<string[]> {
  const { body, statusCode } = await get(url);
  expect(statusCode).toBe(200);
  return Array.from(
    body.matchAll(/class="name" href="[^"]*\/([^"/]+)">(?!<b>)/g),
    ([, slug]) => slug ?? '',
  );
}

const linkOf = (body: string, rel: string) =>
  (new RegExp(`rel="${rel}" href="([^"]+)"`).exec(body)?.[1] ?? '')
    .replaceAll('&amp;', '&')
    .replace('http://test.local', '');

const numbers = (from: number, to: number) =>
  Array.from({ length: Math.abs(to - from) + 1 }, (_, i) => `e${from < to ? from + i : from - i}`);

// PAGE-20
describe('the search of a show page', () => {
  it('a search lists what it has found, escaped, with marks and a link to the second', async () => {
    const { body, headers } = await get('/listen/signals?q=lynx');
    expect(body).toContain('Spoken &lt;b&gt;');
    expect(body).toContain(
      '<a class="time" href="http://test.local/listen/signals/spoken?transcript=all#t=754">12:34</a>',
    );
    expect(body).toContain('<b>Bo &amp; Co</b> The &lt;i&gt;<mark>lynx</mark>&lt;/i&gt; was here.');
    expect(body).toContain('Results: 1');
    expect(body).toContain('value="lynx"');
    expect(body).toContain('<meta name="robots" content="noindex, follow">');
    expect(body).toContain('<link rel="canonical" href="http://test.local/listen/signals">');
    expect(headers['content-security-policy']).toContain("form-action 'self'");
  });

  it('a search without results says so and offers the list', async () => {
    const { body } = await get(`/listen/signals?q=${encodeURIComponent('"><script>nothing')}`);
    expect(body).toContain('Nothing was found for “\u2068&quot;&gt;&lt;script&gt;nothing\u2069”.');
    expect(body).toContain(
      '<a class="button" href="http://test.local/listen/signals">All episodes</a>',
    );
  });

  it('an empty search is the list, and hostile ones are pages', async () => {
    expect(await listed('/listen/signals?q=%20')).toHaveLength(30);
    for (const q of ['%00', '%22', "'", 'a%20'.repeat(3_000), '%F0%9F%90%8B', '&|!():*'])
      expect((await get(`/listen/signals?q=${q}`)).statusCode, q.slice(0, 10)).toBe(200);
  });

  // LIM-1
  it('a search and a season count towards the public limit, the list does not', async () => {
    const limit = { public: createMemoryLimiter({ limit: 2 }) };
    await using limited = await createTestApp({}, { limits: limit });
    await makePodcast(limited.ctx, { slug: 'signals' });
    const statuses: number[] = [];
    for (const query of ['', '?q=a', '?season=1', '?q=b', '?order=oldest', '']) {
      const response = await limited.request({ method: 'GET', url: `/listen/signals${query}` });
      statuses.push(response.statusCode);
      if (response.statusCode === 429) expect(response.headers['retry-after']).toBe('60');
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429, 200]);
  });

  it('only a show with ten episodes has a search, and only a long one choices', async () => {
    const short = await makePodcast(app.ctx, { slug: 'short' });
    for (let n = 1; n <= 3; n += 1) await makeNumbered(short, n, { season: 1 });
    const { body } = await get('/listen/short');
    expect(body).not.toContain('type="search"');
    expect(body).not.toContain('order=');
    expect(body).not.toContain('season=');
    expect((await get('/listen/signals')).body).toContain('type="search"');
  });
});

// PAGE-20
describe('the choices of a show page', () => {
  it('a season is listed in pages, whose cursors belong to it', async () => {
    expect(await listed('/listen/signals?season=2')).toEqual(numbers(60, 31));
    const url = '/listen/signals?season=1&order=oldest';
    expect(await listed(url)).toEqual(numbers(1, 30));
    const { body } = await get('/listen/signals?order=oldest');
    const next = linkOf(body, 'next');
    expect(next).toContain('order=oldest&cursor=');
    expect(await listed(next)).toEqual(numbers(31, 60));
    expect((await get(next.replace('order=oldest', 'season=1'))).statusCode).toBe(400);
    expect((await get(next.replace('order=oldest&', ''))).statusCode).toBe(400);
  });

  it('a year is that of the time zone of the show', async () => {
    expect(await listed('/listen/signals?year=2020')).toEqual(numbers(12, 1));
    const east = await makePodcast(app.ctx, { slug: 'east', timezone: 'Asia/Tokyo' });
    const publishedAt = new Date('2023-12-31T16:00:00Z');
    await makeEpisode(app.ctx, east, { slug: 'new-year', publishedAt });
    expect(await listed('/listen/east?year=2024')).toEqual(['new-year']);
    expect(await listed('/listen/east?year=2023')).toEqual([]);
  });

  it('a long show links to its seasons and years, with the numbers of their episodes', async () => {
    const { body } = await get('/listen/signals');
    expect(body).toMatch(/season=2#episodes"><span>Season 2 <span class="count">30</);
    expect(body).toMatch(/year=2021#episodes"><span>2021 <span class="count">12</);
    expect(body).toContain('order=oldest#episodes">Oldest first</a>');
    const chosen = (await get('/listen/signals?season=2')).body;
    expect(chosen).toContain('aria-current="true"');
    expect(chosen).toContain('<meta name="robots" content="noindex, follow">');
  });

  it('seasons and years are listed in the order of the episodes', async () => {
    const chosen = async (query: string, name: string) => {
      const { body } = await get(`/listen/signals?order=${query}`);
      return [...body.matchAll(RegExp(`[?&;]${name}=(\\d+)[^"]*#episodes"><span>`, 'g'))].map(
        ([, n]) => Number(n),
      );
    };
    for (const name of ['season', 'year']) {
      const newest = await chosen('newest', name);
      expect(newest).toEqual(newest.toSorted((a, b) => b - a));
      expect(newest.length).toBeGreaterThan(1);
      expect(await chosen('oldest', name)).toEqual(newest.toReversed());
    }
  });

  it('a serial show has the oldest first, also in a season', async () => {
    const serial = await makePodcast(app.ctx, { slug: 'serial', showType: 'serial' });
    for (let n = 1; n <= 35; n += 1) await makeNumbered(serial, n);
    expect((await listed('/listen/serial')).slice(0, 3)).toEqual(['e1', 'e2', 'e3']);
    expect((await listed('/listen/serial?order=newest'))[0]).toBe('e35');
    const { body } = await get('/listen/serial');
    expect(await listed(linkOf(body, 'next'))).toEqual(numbers(31, 35));
    expect((await listed('/listen/serial?season=1')).slice(0, 2)).toEqual(['e1', 'e2']);
  });

  // PAGE-26
  it.each([
    ['the first full episode', ['trailer', 'full', 'full'], [0, 1, 2], 'e2'],
    ['the first with audio', ['full', 'full', 'full'], [1, 2], 'e2'],
    ['a trailer, if there is nothing else', ['trailer'], [0], 'e1'],
    ['one after a page without audio', Array<'full'>(33).fill('full'), [31, 32], 'e32'],
  ] as const)('the top of a serial show offers %s', async (_, types, withAudio, slug) => {
    offers += 1;
    const serial = await makePodcast(app.ctx, { slug: `told-${offers}`, showType: 'serial' });
    for (const [index, episodeType] of types.entries()) {
      const { id } = await makeNumbered(serial, index + 1, { episodeType });
      if (withAudio.some((at) => at === index)) await attachTone(app.ctx, id, 1);
    }
    const { body } = await get(`/listen/told-${offers}`);
    expect(body).toContain('First episode');
    expect(/class="name" href="[^"]*\/([^"/]+)"><b>/.exec(body)?.[1]).toBe(slug);
    // The player's newest episode is another matter.
    const latest = await get(`/v1/podcasts/told-${offers}/episodes/latest`);
    expect(latest.json()).toMatchObject({ data: { slug: `e${types.length}` } });
  });

  it('a season without episodes says so', async () => {
    expect((await get('/listen/signals?season=99')).body).toContain('There are no episodes here.');
    expect((await get('/listen/signals?season=abc')).statusCode).toBe(400);
  });
});
