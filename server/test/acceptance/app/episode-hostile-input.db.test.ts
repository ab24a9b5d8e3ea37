import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Episode, getEpisode } from '../../../src/domain/publishing/episodes/index.ts';
import type { Podcast } from '../../../src/domain/publishing/podcasts/index.ts';
import { setTranscript } from '../../../src/domain/publishing/transcripts/index.ts';
import { type Browser, createBrowser } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { makeEpisode, makePodcast, makeUser } from '../../make.ts';
import { longestTaskMs } from '../../watch-event-loop.ts';

let app: TestApp;
let podcast: Podcast;
let episode: Episode;
let browser: Browser;

beforeAll(async () => {
  app = await createTestApp();
  const owner = await makeUser(app.ctx);
  podcast = await makePodcast(app.ctx, { owner });
  browser = createBrowser(app);
  await browser.signIn(owner.email);
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  episode = await makeEpisode(app.ctx, podcast, { status: 'draft' });
  await setTranscript(app.ctx, episode.id, {
    language: 'en',
    segments: [{ startMs: 0, endMs: 900, speaker: '', text: 'Hello' }],
    wordCount: 1,
    durationMs: 900,
  });
});

const urlOf = (part = '') => `/app/api/episodes/${episode.id}${part}`;
const listUrl = () => `/app/api/podcasts/${podcast.id}/episodes`;
const send = (method: 'POST' | 'PUT' | 'PATCH', url: string, body: object) =>
  browser.send(method, url, body, { 'if-match': '*' });

const values: readonly unknown[] = [
  ...[null, true, -1, 1.5, 1e308, 2 ** 31],
  ...['', 'a\0b', '\ud800', '\u202eabc', '\u0001\b', '__proto__'],
  ...['😀'.repeat(250), '漢'.repeat(500), 'x'.repeat(100_001)],
  ...['9999-12-31T23:59:59.999+14:00', '0001-01-01T00:00:00-14:00', '10000-01-01T00:00:00Z'],
  ...[[null], {}, [[[[[]]]]]],
];

const fields = [
  ...['slug', 'title', 'subtitle', 'description', 'show_notes_html', 'season', 'season_name'],
  ...['episode_number', 'episode_display', 'episode_type', 'explicit', 'itunes_title'],
  ...['itunes_block', 'link_url', 'share_transcript_with_cohosts', 'publish_transcript', 'status'],
];

type Write = readonly ['POST' | 'PUT' | 'PATCH', string, (value: unknown) => object];
const chapter = (name: string): Write => [
  'PUT',
  '/chapters',
  (value) => ({ chapters: [{ start_seconds: 0, title: 'x', [name]: value }] }),
];
const person = (name: string): Write => [
  'PUT',
  '/people',
  (value) => ({ people: [{ name: 'x', [name]: value }] }),
];
const segment = (name: string): Write => [
  'PATCH',
  '/transcript',
  (value) => ({ changes: [{ index: 0, text: 'x', [name]: value }] }),
];
const writes: readonly Write[] = [
  ...fields.map((name): Write => ['PATCH', '', (value) => ({ [name]: value })]),
  ...['start_seconds', 'end_seconds', 'title', 'link_url', 'image_url', 'hidden'].map(chapter),
  ...['name', 'role', 'group', 'person_id'].map(person),
  ...['index', 'text', 'speaker'].map(segment),
  ['PUT', '/chapters', (value) => ({ chapters: value })],
  ['PUT', '/people', (value) => ({ people: value })],
  ['PATCH', '/transcript', (value) => ({ changes: value })],
  ['POST', '/publish', (value) => ({ published_at: value })],
  ['POST', '/schedule', (value) => ({ scheduled_for: value })],
];

describe('any input', () => {
  it.each(writes)(
    'any input with %s to "%s" is accepted or refused',
    async (method, part, bodyOf) => {
      for (const value of values) {
        const body = bodyOf(value);
        const response = await send(method, urlOf(part), body);
        expect([200, 400, 413], JSON.stringify(body).slice(0, 100)).toContain(response.statusCode);
      }
      expect((await browser.get(urlOf())).statusCode).toBe(200);
    },
  );

  it('any input for a new or several episodes is accepted or refused, and the list stays whole', async () => {
    for (const value of values) {
      for (const body of [{ title: value }, { title: 'x', slug: value }]) {
        expect([201, 400, 413]).toContain((await send('POST', listUrl(), body)).statusCode);
      }
      for (const body of [
        { action: 'publish', ids: [value] },
        { action: value, ids: [] },
      ]) {
        expect([400, 413]).toContain((await send('POST', `${listUrl()}/bulk`, body)).statusCode);
      }
      const text = encodeURIComponent(String(value).toWellFormed()).slice(0, 5000);
      for (const name of ['q', 'status', 'sort', 'limit', 'cursor']) {
        const response = await browser.get(`${listUrl()}?${name}=${text}`);
        expect([200, 400], `${name}=${text.slice(0, 60)}`).toContain(response.statusCode);
      }
    }
    const { counts } = (await browser.get(listUrl())).json();
    const total = Object.values(counts as Record<string, number>).reduce((sum, n) => sum + n, 0);
    for (const sort of ['newest', 'oldest', 'title', 'number']) {
      expect(await countByWalking(sort), sort).toBe(total);
    }
  });
});

/** Reads pages of one episode, so that there is a cursor for every title. */
async function countByWalking(sort: string): Promise<number> {
  for (let [count, cursor] = [0, '']; ; count += 1) {
    const page = (await browser.get(`${listUrl()}?sort=${sort}&limit=1${cursor}`)).json();
    const next = page.pagination.next_cursor;
    if (next === null) return count + page.data.length;
    cursor = `&cursor=${next}`;
  }
}

describe('long input', () => {
  const paragraphs = '<p><b>x</b></p>'.repeat(13_000);
  const chapters = Array.from({ length: 5_000 }, (_, at) => ({
    start_seconds: at,
    title: `Chapter ${at} of very many`,
    link_url: `https://example.com/${at}?from=chapter`,
  }));
  const segments = Array.from({ length: 40_000 }, (_, at) => ({
    startMs: at * 1000,
    endMs: at * 1000 + 900,
    speaker: 'Ada',
    text: 'Some words that are said in this segment',
  }));

  it('long input does not delay other requests', async () => {
    const transcript = { language: 'en', segments, wordCount: 320_000, durationMs: 40_000_000 };
    await setTranscript(app.ctx, episode.id, transcript);
    const works = {
      notes: () => send('PATCH', urlOf(), { show_notes_html: paragraphs }),
      refused: () => send('PATCH', urlOf(), { show_notes_html: '<'.repeat(190_000) }),
      chapters: () => send('PUT', urlOf('/chapters'), { chapters }),
      transcript: () => browser.get(urlOf('/transcript')),
    };
    for (const [name, work] of Object.entries(works)) {
      expect(await longestTaskMs(work), name).toBeLessThan(50);
    }
    expect((await getEpisode(app.ctx, episode.id)).showNotesHtml).toBe(paragraphs);
    const refused = (await works.refused()).json().error;
    expect(refused.details[0].field).toBe('show_notes_html');
  });

  it('long input is not processed without permission', async () => {
    const other = createBrowser(app, { address: '203.0.113.7' });
    await other.signIn((await makeUser(app.ctx)).email);
    const body = { show_notes_html: paragraphs };
    const response = await other.send('PATCH', urlOf(), body, { 'if-match': '*' });
    expect(response.statusCode).toBe(404);
  });
});
