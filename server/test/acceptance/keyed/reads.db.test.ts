import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cutOffPodcastKeys, type KeyWithSecret } from '../../../src/domain/access/keys/index.ts';
import type { User } from '../../../src/domain/foundation/accounts/index.ts';
import { capabilities } from '../../../src/domain/foundation/permissions/index.ts';
import { attachTone } from '../../../src/domain/publishing/audio/index.ts';
import { type Episode, scheduleEpisode } from '../../../src/domain/publishing/episodes/index.ts';
import { addPerson, setCredits } from '../../../src/domain/publishing/people/index.ts';
import { addMember, type Podcast } from '../../../src/domain/publishing/podcasts/index.ts';
import {
  parseTranscript,
  setChapters,
  setTranscript,
} from '../../../src/domain/publishing/transcripts/index.ts';
import { askWithKey, countStatements } from '../../ask-with-key.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { makeEpisode, makeKey, makePodcast, makeUser } from '../../make.ts';

let app: TestApp;
let ana: User;
let key: KeyWithSecret;
let show: Podcast;
let beganAt: Date;

beforeAll(async () => {
  app = await createTestApp();
  beganAt = app.clock.now();
  ana = await makeUser(app.ctx, 'studio');
  key = await makeKey(app.ctx, ana);
  show = await makePodcast(app.ctx, { owner: ana, slug: 'night-signals', title: 'Night Signals' });
});
afterAll(() => app[Symbol.asyncDispose]());

const ask = (url: string, headers?: Record<string, string>) =>
  askWithKey(app, key.secret, url, headers);
const read = async (url: string) => (await ask(url)).json();
const hourMs = 3_600_000;
/** Relative to the start of the tests, because one of them moves the clock. */
const inHours = (hours: number) => new Date(beganAt.getTime() + hours * hourMs);

interface Page {
  readonly data: readonly { readonly id: string }[];
  readonly pagination: { readonly next_cursor: string | null };
}

/** Every id, page after page. */
async function walk(url: string, limit: number): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const next = cursor === '' ? '' : `&cursor=${cursor}`;
    const page: Page = await read(`${url}${url.includes('?') ? '&' : '?'}limit=${limit}${next}`);
    ids.push(...page.data.map(({ id }) => id));
    cursor = page.pagination.next_cursor;
  }
  return ids;
}

describe('GET /v1/me', () => {
  // AUTH-4, KEY-18, KEY-19
  it('returns the key’s user', async () => {
    expect(await read('/v1/me')).toEqual({
      data: {
        user: { id: ana.id, name: ana.name, email: ana.email },
        key: {
          id: key.key.id,
          name: 'A key',
          kind: 'user',
          last_four: key.secret.slice(-4),
          scopes: ['podcasts:read', 'analytics:read', 'episodes:read', 'transcripts:read'],
          podcasts: 'all',
          created_at: inHours(0).toISOString(),
          expires_at: inHours(90 * 24).toISOString(),
        },
        account: { plan: 'studio', plan_name: 'Studio', plan_state: 'active' },
        rate_limit: { requests_per_minute: 600 },
        site: null,
      },
    });
  });

  // KEY-19
  it('lists the podcasts of a limited key, except those with a cut-off', async () => {
    const bo = await makeUser(app.ctx);
    const [first, second] = [
      await makePodcast(app.ctx, { owner: bo }),
      await makePodcast(app.ctx, { owner: bo }),
    ];
    const { secret } = await makeKey(app.ctx, bo, { podcasts: [first.id, second.id] });
    const podcasts = async () => (await askWithKey(app, secret, '/v1/me')).json().data.key.podcasts;
    expect(await podcasts()).toEqual([first.id, second.id]);
    await cutOffPodcastKeys(app.ctx, first.id);
    expect(await podcasts()).toEqual([second.id]);
  });

  // ACCT-10, AUTH-15
  it('GET /v1/me is refused until the current terms are accepted', async () => {
    await using strict = await createTestApp({ TERMS_VERSION: '2026-01' });
    const user = await makeUser(strict.ctx);
    const { secret } = await makeKey(strict.ctx, user);
    const status = async () => (await askWithKey(strict, secret, '/v1/me')).statusCode;
    expect(await status()).toBe(200);
    await strict.database.pool.query('update users set accepted_terms = $1', ['2025-01']);
    expect(await status()).toBe(403);
    const refused = await askWithKey(strict, secret, '/v1/me');
    expect(refused.json().error.code).toBe('forbidden');
    // Only that endpoint is refused.
    expect((await askWithKey(strict, secret, '/v1/me/podcasts')).statusCode).toBe(200);
  });
});

describe('podcasts', () => {
  // ACCT-11, ACCT-12, KEYED-3
  it('podcasts include the role of the key’s user', async () => {
    expect(await read(`/v1/me/podcasts/${show.id.toUpperCase()}`)).toEqual({
      data: {
        id: show.id,
        slug: 'night-signals',
        title: 'Night Signals',
        role: 'owner',
        role_name: 'Owner',
        capabilities: [...capabilities],
        status: 'active',
        hosting_type: 'hosted',
        timezone: 'UTC',
        created_at: show.createdAt.toISOString(),
      },
    });
    const theirs = await makePodcast(app.ctx, { teamKeys: true });
    await addMember(app.ctx, {
      podcastId: theirs.id,
      userId: ana.id,
      role: 'custom',
      roleName: 'Archivist',
      capabilities: ['episodes.view_all', 'analytics.view'],
    });
    expect((await read(`/v1/me/podcasts/${theirs.id}`)).data).toMatchObject({
      role: 'custom',
      role_name: 'Archivist',
      capabilities: ['analytics.view', 'episodes.view_all'],
    });
  });

  // KEYED-1, REQ-16
  it('podcasts are listed oldest first, in pages', async () => {
    const user = await makeUser(app.ctx);
    const { secret } = await makeKey(app.ctx, user);
    const made: string[] = [];
    for (let number = 0; number < 5; number += 1) {
      made.push((await makePodcast(app.ctx, { owner: user, createdAt: inHours(number - 9) })).id);
    }
    const first: Page = (await askWithKey(app, secret, '/v1/me/podcasts?limit=3')).json();
    expect(first.data.map(({ id }) => id)).toEqual(made.slice(0, 3));
    const cursor = first.pagination.next_cursor;
    const rest: Page = (await askWithKey(app, secret, `/v1/me/podcasts?cursor=${cursor}`)).json();
    expect(rest.data.map(({ id }) => id)).toEqual(made.slice(3));
    expect(rest.pagination.next_cursor).toBeNull();
  });

  // KEYED-4
  it('podcasts have a roster', async () => {
    const podcast = await makePodcast(app.ctx, { owner: ana });
    const bo = { podcastId: podcast.id, name: 'Bo', bio: 'Builds antennas.' };
    const person = await addPerson(app.ctx, { ...bo, linkUrl: 'https://bo.example/' });
    const second = await addPerson(app.ctx, { podcastId: podcast.id, name: 'Cy', role: 'editor' });
    const url = `/v1/me/podcasts/${podcast.id}/people`;
    expect((await read(url)).data[0]).toEqual({
      id: person.id,
      name: 'Bo',
      role: 'host',
      group: 'cast',
      bio: 'Builds antennas.',
      photo_url: null,
      link_url: 'https://bo.example/',
    });
    expect(await walk(url, 1)).toEqual([person.id, second.id]);
  });
});

describe('episodes', () => {
  let whole: Episode;

  beforeAll(async () => {
    whole = await makeEpisode(app.ctx, show, {
      slug: 'first-light',
      title: 'First light',
      season: 2,
      showNotesHtml: '<p>With <a href="https://example.com/">links</a>.</p>',
      publishTranscript: true,
      createdAt: inHours(-5),
      guid: 'tag:example.com,2020:1',
      source: {
        key: 'k',
        guid: 'tag:example.com,2020:1',
        enclosureUrl: 'https://cdn.example.com/a.mp3',
        guidSha256: 'a'.repeat(64),
        enclosureSha256: 'b'.repeat(64),
      },
    });
    await attachTone(app.ctx, whole.id, 3);
    await setChapters(app.ctx, whole.id, [{ startMs: 0, title: 'Start' }]);
    const vtt = 'WEBVTT\n\n00:01.500 --> 00:02.000\nOne\n\n00:02.000 --> 00:03.250\n<v Bo>Two\n';
    await setTranscript(app.ctx, whole.id, { ...parseTranscript(vtt), language: 'en' });
  });

  const listItem = () => ({
    id: whole.id,
    podcast_id: show.id,
    slug: 'first-light',
    title: 'First light',
    subtitle: null,
    status: 'published',
    episode_number: whole.episodeNumber,
    season_number: 2,
    episode_type: 'full',
    published_at: inHours(-1).toISOString(),
    scheduled_for: null,
    duration_seconds: 3,
    created_at: inHours(-5).toISOString(),
    rss_guid: 'tag:example.com,2020:1',
    source: { guid_sha256: 'a'.repeat(64), enclosure_sha256: 'b'.repeat(64) },
  });

  // KEYED-7
  it('episodes are listed without texts and media', async () => {
    const { data } = await read(`/v1/me/podcasts/${show.id}/episodes`);
    expect(data).toEqual([listItem()]);
  });

  // KEYED-8, KEYED-11, KEYED-12
  it('episodes are returned with all fields', async () => {
    const { data } = await read(`/v1/me/episodes/${whole.id}`);
    const sizeBytes = data.media.audio.size_bytes;
    expect(sizeBytes).toBeGreaterThan(1_000);
    expect(data).toEqual({
      ...listItem(),
      explicit: false,
      description: 'First light',
      show_notes: 'With links (https://example.com/).',
      show_notes_html: expect.stringContaining('<a href="https://example.com/"'),
      media: {
        audio: {
          url: `http://test.local/media/${whole.id}/first-light.mp3`,
          content_type: 'audio/mpeg',
          duration_seconds: 3,
          size_bytes: sizeBytes,
        },
        cover_image_url: null,
        chapters_url: `http://test.local/chapters/${whole.id}.json`,
        transcript_url: `http://test.local/transcripts/${whole.id}.vtt`,
      },
    });
  });

  // KEYED-9, KEYED-10
  it('episodes have null for unknown values', async () => {
    const podcast = await makePodcast(app.ctx, { owner: ana });
    const { id } = await makeEpisode(app.ctx, podcast, { status: 'draft' });
    const { data } = await read(`/v1/me/episodes/${id}`);
    expect(data).toMatchObject({
      published_at: null,
      scheduled_for: null,
      duration_seconds: null,
      season_number: null,
      rss_guid: null,
      show_notes: null,
      source: { guid_sha256: null, enclosure_sha256: null },
      media: { audio: { url: null }, chapters_url: null, transcript_url: null },
    });
    await scheduleEpisode(app.ctx, id, inHours(1));
    expect((await read(`/v1/me/episodes/${id}`)).data).toMatchObject({
      status: 'scheduled',
      published_at: null,
      scheduled_for: inHours(1).toISOString(),
    });
  });

  // KEYED-5, REQ-18, REQ-20
  it('episodes are listed newest first, by status, in pages of any size', async () => {
    const podcast = await makePodcast(app.ctx, { owner: ana });
    const made: string[] = [];
    for (let number = 0; number < 5; number += 1) {
      const publishedAt = inHours(-number - 1);
      made.push((await makeEpisode(app.ctx, podcast, { publishedAt })).id);
    }
    const draft = await makeEpisode(app.ctx, podcast, { status: 'draft', createdAt: inHours(-9) });
    const url = `/v1/me/podcasts/${podcast.id}/episodes`;
    expect(await walk(url, 2)).toEqual([...made, draft.id]);
    expect(await walk(`${url}?status=published`, 4)).toEqual(made);
    expect(await walk(`${url}?status=draft`, 1)).toEqual([draft.id]);
    expect(await walk(`${url}?status=archived`, 1)).toEqual([]);
    const first: Page = await read(`${url}?limit=1`);
    const rest: Page = await read(`${url}?limit=100&cursor=${first.pagination.next_cursor}&x=1`);
    expect(rest.data.map(({ id }) => id)).toEqual([...made.slice(1), draft.id]);
  });

  // KEYED-13
  it('episodes have show notes at their own address', async () => {
    const { data } = await read(`/v1/me/episodes/${whole.id.toUpperCase()}/show-notes`);
    expect(data).toEqual({
      episode_id: whole.id,
      show_notes: 'With links (https://example.com/).',
      show_notes_html: expect.stringContaining('links'),
      updated_at: inHours(0).toISOString(),
    });
  });

  // KEYED-17, KEYED-18
  it('episodes have a transcript, in pages', async () => {
    const url = `/v1/me/episodes/${whole.id}/transcript`;
    const { data, pagination } = await read(`${url}?limit=1`);
    const part = {
      episode_id: whole.id,
      language: 'en',
      word_count: 2,
      duration_seconds: 3,
      total_segments: 2,
    };
    const first = { id: 0, start: 1.5, end: 2, speaker: '', text: 'One' };
    expect(data).toEqual({ ...part, segments: [first] });
    const last = await read(`${url}?limit=1&cursor=${pagination.next_cursor}`);
    const second = { id: 1, start: 2, end: 3.25, speaker: 'Bo', text: 'Two' };
    expect(last).toEqual({
      data: { ...part, segments: [second] },
      pagination: { next_cursor: null },
    });
  });

  // KEYED-14, KEYED-15, PUB-17
  it('episodes have credits, in pages', async () => {
    const podcast = await makePodcast(app.ctx, { owner: ana });
    const { id } = await makeEpisode(app.ctx, podcast);
    const bo = await addPerson(app.ctx, { podcastId: podcast.id, name: 'Bo', bio: 'Antennas.' });
    const url = `/v1/me/episodes/${id}/credits`;
    expect((await read(url)).data).toEqual([
      {
        id: bo.id,
        name: 'Bo',
        role: 'host',
        group: 'cast',
        link_url: null,
        bio: 'Antennas.',
        avatar_url: null,
      },
    ]);
    await setCredits(app.ctx, id, [
      { personId: bo.id, role: 'guest' },
      { personId: bo.id, role: 'editor' },
    ]);
    const roles = (await read(url)).data.map(({ role }: { role: string }) => role);
    expect(roles).toEqual(['guest', 'editor']);
    expect(await walk(url, 1)).toHaveLength(2);
  });

  it('episodes need two statements for any request', async () => {
    const urls = [
      '/v1/me/podcasts',
      `/v1/me/podcasts/${show.id}`,
      `/v1/me/podcasts/${show.id}/people`,
      `/v1/me/podcasts/${show.id}/episodes?status=published`,
      `/v1/me/episodes/${whole.id}`,
      `/v1/me/episodes/${whole.id}/show-notes`,
      `/v1/me/episodes/${whole.id}/transcript`,
      `/v1/me/episodes/${whole.id}/credits`,
    ];
    for (const url of urls) {
      const statements = await countStatements(app, async () => {
        expect((await ask(url)).statusCode).toBe(200);
      });
      expect(statements, url).toBe(2);
    }
    expect(await countStatements(app, () => ask('/v1/me'))).toBe(1);
  });

  // REQ-22
  it('episodes have the same ETag later, also if another page follows', async () => {
    const urls = [
      '/v1/me',
      '/v1/me/podcasts?limit=1',
      `/v1/me/podcasts/${show.id}`,
      `/v1/me/podcasts/${show.id}/people?limit=1`,
      `/v1/me/podcasts/${show.id}/episodes?limit=1`,
      `/v1/me/podcasts/${show.id}/episodes?limit=1&status=published`,
      `/v1/me/episodes/${whole.id}`,
      `/v1/me/episodes/${whole.id}/show-notes`,
      `/v1/me/episodes/${whole.id}/transcript?limit=1`,
      `/v1/me/episodes/${whole.id}/credits?limit=1`,
    ];
    const etags = new Map<string, string>();
    for (const url of urls) etags.set(url, String((await ask(url)).headers['etag']));
    app.clock.advance(60_000);
    for (const [url, etag] of etags) {
      const again = await ask(url, { 'if-none-match': etag });
      expect(again.statusCode, url).toBe(304);
    }
  });
});

describe('a response to a key', () => {
  // LIM-7, REQ-21, REQ-22, REQ-25, REQ-27
  it('a response to a key can be cached privately, and must be revalidated', async () => {
    const url = `/v1/me/podcasts/${show.id}`;
    const response = await ask(url);
    expect(response.headers).toMatchObject({
      'cache-control': 'private, no-cache',
      vary: 'Authorization, Accept-Encoding',
      'ratelimit-policy': 'account;q=600;w=60, plan;q=120;w=60',
    });
    expect(response.headers['ratelimit']).toMatch(/^account;r=\d+;t=60, plan;r=\d+;t=60$/);
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
    const etag = String(response.headers['etag']);
    const again = await ask(url, { 'if-none-match': `W/"x", ${etag}` });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    expect(again.headers).toMatchObject({
      etag,
      'cache-control': 'private, no-cache',
      vary: 'Authorization, Accept-Encoding',
      'ratelimit-policy': 'account;q=600;w=60, plan;q=120;w=60',
    });
    expect(again.headers['ratelimit']).not.toBe(response.headers['ratelimit']);
    const packed = await ask(url, { 'accept-encoding': 'gzip', 'if-none-match': `"x"` });
    expect(packed.headers['etag']).toBe(etag.replace(/"$/, '-gzip"'));
  });

  // REQ-9
  it('a response to a key to HEAD is the same without a body', async () => {
    const url = `/v1/me/podcasts/${show.id}/episodes`;
    const headers = { authorization: `bearer  ${key.secret}` };
    const head = await app.request({ method: 'HEAD', url, headers });
    const get = await app.request({ method: 'GET', url, headers });
    expect([head.statusCode, head.body]).toEqual([200, '']);
    for (const name of ['etag', 'content-length', 'content-type', 'cache-control', 'vary']) {
      expect(head.headers[name], name).toBe(get.headers[name]);
    }
  });

  // REQ-10, REQ-27
  it('allows no preflight', async () => {
    const url = `/v1/me/podcasts/${show.id}`;
    const response = await app.request({
      method: 'OPTIONS',
      url,
      headers: { origin: 'https://x' },
    });
    expect(response.statusCode).toBe(204);
    expect(response.headers['allow']).toBe('GET, HEAD, OPTIONS');
    expect(Object.keys(response.headers).join()).not.toContain('access-control');
    expect((await app.request({ method: 'POST', url })).statusCode).toBe(405);
  });
});
