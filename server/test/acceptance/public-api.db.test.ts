import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setPlan } from '../../src/domain/foundation/accounts/index.ts';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import { publishEpisode } from '../../src/domain/publishing/episodes/index.ts';
import { addPerson } from '../../src/domain/publishing/people/index.ts';
import {
  type Podcast,
  pausePodcast,
  suspendPodcast,
  updatePodcast,
} from '../../src/domain/publishing/podcasts/index.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import { makeEpisode, makePodcast, makeUser } from '../make.ts';

let app: TestApp;
let show: Podcast;

beforeAll(async () => {
  app = await createTestApp();
  show = await makePodcast(app.ctx, { slug: 'night-signals', title: 'Night Signals' });
});
afterAll(() => app[Symbol.asyncDispose]());

const get = (url: string, headers: Record<string, string> = {}) =>
  app.request({ method: 'GET', url, headers });
interface Page {
  readonly data: readonly { readonly id: string }[];
  readonly pagination: { readonly next_cursor: string | null };
}
const unknownId = '00000000-0000-7000-8000-000000000000';

describe('GET /v1/podcasts/{slug}', () => {
  // PUB-5
  it('returns the podcast with all fields, and the color of its player', async () => {
    const response = await get('/v1/podcasts/night-signals');
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      data: {
        id: show.id,
        slug: 'night-signals',
        guid: show.guid,
        title: 'Night Signals',
        subtitle: null,
        author: show.author,
        description: 'Night Signals',
        language: 'en',
        category: null,
        subcategory: null,
        explicit: false,
        artwork: { url: null },
        brand_color: null,
        player_color: null,
        color: expect.stringMatching(/^#[0-9a-f]{6}$/),
        player_theme: 'light',
        player_waveform: true,
        website_url: null,
        timezone: 'UTC',
        episode_count: 0,
        links: {
          listen: 'http://test.local/listen/night-signals',
          feed: 'http://test.local/feeds/night-signals.xml',
        },
        branding: { show_powered_by: true },
      },
    });
  });

  // PUB-1, REQ-3
  it('GET /v1/podcasts/{slug} is the same under its UUID, in either case', async () => {
    const bySlug = await get('/v1/podcasts/night-signals');
    for (const id of [show.id, show.id.toUpperCase()]) {
      const byId = await get(`/v1/podcasts/${id}`);
      expect(byId.body).toBe(bySlug.body);
      expect(byId.headers['etag']).toBe(bySlug.headers['etag']);
    }
  });

  // PUB-4
  it('always shows "powered by" on the free plan', async () => {
    const owner = await makeUser(app.ctx, 'free');
    const free = await makePodcast(app.ctx, { owner, showPoweredBy: false });
    const paid = await makePodcast(app.ctx, { showPoweredBy: false });
    const poweredBy = async (podcast: Podcast) =>
      (await get(`/v1/podcasts/${podcast.id}`)).json().data.branding.show_powered_by;
    expect(await poweredBy(free)).toBe(true);
    expect(await poweredBy(paid)).toBe(false);
  });

  // REQ-24
  it('shows a change with the next request', async () => {
    const podcast = await makePodcast(app.ctx, { title: 'Before' });
    const url = `/v1/podcasts/${podcast.slug}`;
    const before = await get(url);
    expect((await get(url)).headers['etag']).toBe(before.headers['etag']);
    await updatePodcast(app.ctx, podcast.id, { title: 'After' });
    expect((await get(url)).json().data.title).toBe('After');
    await makeEpisode(app.ctx, podcast);
    expect((await get(url)).json().data.episode_count).toBe(1);
  });
});

describe('references', () => {
  // ERR-3, REQ-2, REQ-4, REQ-15
  it.each([
    ['/v1/podcasts/Night-Signals', 'slug'],
    ['/v1/podcasts/night--signals', 'slug'],
    ['/v1/podcasts/-x', 'slug'],
    [`/v1/podcasts/${'a'.repeat(101)}`, 'slug'],
    ['/v1/podcasts/a%20b', 'slug'],
    ['/v1/podcasts/night-signals/episodes/Not_A_Ref', 'ref'],
    ['/v1/episodes/first-light', 'id'],
    ['/v1/podcasts/', 'slug'],
    ['/v1/podcasts//episodes', 'slug'],
    ['/v1/podcasts//episodes/latest', 'slug'],
    ['/v1/podcasts/night-signals/episodes/', 'ref'],
    ['/v1/episodes/', 'id'],
  ])('refuses %s with 400, naming %s', async (url, field) => {
    const response = await get(url);
    expect(response.statusCode).toBe(400);
    expect(response.json().error).toMatchObject({
      code: 'invalid_request',
      docs_url: 'http://test.local/docs/errors#invalid_request',
      request_id: response.headers['x-request-id'],
    });
    expect(response.json().error.details.map((detail: { field: string }) => detail.field)).toEqual([
      field,
    ]);
  });

  // ERR-4, PUB-11, REQ-5, REQ-11
  it.each([
    '/v1/podcasts/unknown',
    `/v1/podcasts/${unknownId}`,
    '/v1/podcasts/unknown/episodes',
    '/v1/podcasts/night-signals/episodes/unknown',
    `/v1/podcasts/night-signals/episodes/${unknownId}`,
    '/v1/podcasts/night-signals/episodes/latest',
    `/v1/episodes/${unknownId}`,
    '/v1/nothing',
    '/v1',
  ])('responds to %s with 404', async (url) => {
    const response = await get(url);
    expect(response.statusCode).toBe(404);
    expect(response.json().error.code).toBe('not_found');
    expect(response.headers['cache-control']).toBe('no-store');
  });

  // PUB-7, REQ-6, REQ-8
  it('names every wrong parameter at once', async () => {
    const url = '/v1/podcasts/Bad_Slug/episodes?limit=0&season=x&type=';
    const { error } = (await get(url)).json();
    const fields = error.details.map((detail: { field: string }) => detail.field);
    expect(fields.sort()).toEqual(['limit', 'season', 'slug', 'type']);
  });

  // PUB-21, PUB-22
  it('redirects an old slug only together with an episode UUID', async () => {
    const podcast = await makePodcast(app.ctx, { slug: 'old-name' });
    const episode = await makeEpisode(app.ctx, podcast, { slug: 'one' });
    const draft = await makeEpisode(app.ctx, podcast, { status: 'draft' });
    await updatePodcast(app.ctx, podcast.id, { slug: 'new-name' });
    const moved = await get(`/v1/podcasts/old-name/episodes/${episode.id}`);
    expect(moved.statusCode).toBe(301);
    expect(moved.headers['location']).toBe(`/v1/podcasts/new-name/episodes/${episode.id}`);
    expect(moved.headers['cache-control']).toBe('public, max-age=60');
    expect(moved.headers['vary']).toBe('Accept-Encoding');
    for (const path of ['', '/episodes', '/episodes/one', `/episodes/${draft.id}`]) {
      expect((await get(`/v1/podcasts/old-name${path}`)).statusCode).toBe(404);
    }
  });
});

describe('GET /v1/podcasts/{slug}/episodes', () => {
  // PUB-6, REQ-16, REQ-19, REQ-20
  it('lists episodes newest first, each once, also during a publication', async () => {
    const podcast = await makePodcast(app.ctx);
    const now = app.clock.now().getTime();
    for (let i = 1; i <= 7; i += 1) {
      // Two of each share a second: the id decides.
      const publishedAt = new Date(now - Math.ceil(i / 2) * 60_000);
      await makeEpisode(app.ctx, podcast, { title: `Episode ${i}`, publishedAt });
    }
    const url = `/v1/podcasts/${podcast.slug}/episodes`;
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Page = (await get(`${url}?limit=3${cursor ? `&cursor=${cursor}` : ''}`)).json();
      seen.push(...page.data.map((episode) => episode.id));
      cursor = page.pagination.next_cursor;
      await makeEpisode(app.ctx, podcast, { publishedAt: app.clock.now() });
    } while (cursor !== null);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(7);
    const all = (await get(`${url}?limit=50`)).json().data;
    expect(all.slice(-7).map((episode: { id: string }) => episode.id)).toEqual(seen);
    expect((await get(url)).json().pagination.next_cursor).toBeNull();
  });

  // PUB-6, PUB-7, PUB-13, REQ-17, REQ-18
  it('filters by season and kind, and binds cursors to the filters', async () => {
    const podcast = await makePodcast(app.ctx);
    const other = await makePodcast(app.ctx);
    await makeEpisode(app.ctx, podcast, { title: 'plain' });
    await makeEpisode(app.ctx, podcast, { title: 's1', season: 1 });
    await makeEpisode(app.ctx, podcast, { title: 's2', season: 2, episodeType: 'trailer' });
    await makeEpisode(app.ctx, podcast, { title: 'b2', season: 2, episodeType: 'bonus' });
    const url = `/v1/podcasts/${podcast.slug}/episodes`;
    const titles = async (query: string) =>
      (await get(url + query))
        .json()
        .data.map((e: { title: string }) => e.title)
        .sort();
    expect(await titles('?season=1')).toEqual(['plain', 's1']);
    expect(await titles('?season=2')).toEqual(['b2', 's2']);
    expect(await titles('?type=trailer,bonus')).toEqual(['b2', 's2']);
    expect(await titles('?type=full&season=2')).toEqual([]);
    expect(await titles('?season=0')).toEqual([]);
    const { next_cursor: cursor } = (await get(`${url}?limit=1&season=2`)).json().pagination;
    const wrongIn = async (query: string) =>
      (await get(url + query))
        .json()
        .error.details.map((detail: { field: string }) => detail.field);
    expect(await wrongIn(`?limit=0&season=2&cursor=${cursor}`)).toEqual(['limit']);
    expect(await wrongIn(`?limit=0&season=1&cursor=${cursor}`)).toEqual(['limit', 'cursor']);
    expect(await wrongIn(`?type=x&season=2&cursor=${cursor}`)).toEqual(['type', 'cursor']);
    expect((await get(`${url}?limit=5&season=2&cursor=${cursor}`)).statusCode).toBe(200);
    for (const query of [
      `?season=1&cursor=${cursor}`,
      `?cursor=${cursor}`,
      `?season=2&type=full&cursor=${cursor}`,
      `?season=2&cursor=${cursor.slice(0, -1)}`,
      '?cursor=x',
      '?cursor=',
    ]) {
      expect((await get(url + query)).statusCode, query).toBe(400);
    }
    const elsewhere = `/v1/podcasts/${other.slug}/episodes?season=2&cursor=${cursor}`;
    expect((await get(elsewhere)).statusCode).toBe(400);
  });

  // PUB-8
  it('filtered pages are not cached, unlike those without a filter', async () => {
    const podcast = await makePodcast(app.ctx);
    const { id } = await makeEpisode(app.ctx, podcast, { title: 'Before', season: 1 });
    const url = `/v1/podcasts/${podcast.slug}/episodes`;
    const titleIn = async (query: string) => (await get(url + query)).json().data[0].title;
    const queries = ['', '?season=1', '?type=full'];
    for (const query of queries) expect(await titleIn(query)).toBe('Before');
    // A change that is not announced, so caches keep what they have.
    await app.database.pool.query('update episodes set title = $2 where id = $1', [id, 'After']);
    const titles = await Promise.all(queries.map(titleIn));
    expect(titles).toEqual(['Before', 'After', 'After']);
  });

  // LIM-11, REQ-6
  it.each(['limit=0', 'limit=51', 'limit=1e1', 'limit=', 'limit=2&limit=3', 'season=-1'])(
    'refuses %s',
    async (query) => {
      expect((await get(`/v1/podcasts/night-signals/episodes?${query}`)).statusCode).toBe(400);
    },
  );
  // LIM-12, PUB-7
  it.each(['season=10000', 'type=', 'type=video', 'type=full,', 'type=FULL'])(
    'refuses %s',
    async (query) => {
      expect((await get(`/v1/podcasts/night-signals/episodes?${query}`)).statusCode).toBe(400);
    },
  );
  // REQ-7
  it('ignores parameters it does not know', async () => {
    const response = await get('/v1/podcasts/night-signals/episodes?color=red&key=x');
    expect(response.statusCode).toBe(200);
  });
});

describe('an episode', () => {
  // PUB-9, PUB-10, PUB-12, PUB-13, PUB-17, PUB-20, REQ-1
  it('an episode has every field', async () => {
    const podcast = await makePodcast(app.ctx, { slug: 'fields', title: 'Fields' });
    const episode = await makeEpisode(app.ctx, podcast, {
      slug: 'first',
      title: 'First',
      subtitle: 'Sub',
      showNotesHtml: '<p>Notes</p>',
    });
    await addPerson(app.ctx, { podcastId: podcast.id, name: 'Bo', role: 'Host' });
    await attachTone(app.ctx, episode.id, 2);
    const item = {
      id: episode.id,
      slug: 'first',
      title: 'First',
      description: 'First',
      season_number: 1,
      episode_number: 1,
      episode_type: 'full',
      explicit: false,
      published_at: episode.publishedAt?.toISOString(),
      audio: {
        url: `http://test.local/media/${episode.id}/first.mp3`,
        content_type: 'audio/mpeg',
        duration_seconds: 2,
        size_bytes: expect.any(Number),
      },
      artwork: { url: null },
      links: {
        listen: 'http://test.local/listen/fields/first',
        embed: `http://test.local/ep/${episode.id}`,
      },
      people: [{ name: 'Bo', role: 'host', photo_url: null }],
      transcript: null,
    };
    expect((await get('/v1/podcasts/fields/episodes')).json().data).toEqual([item]);
    const whole = {
      ...item,
      audio: { ...item.audio, waveform_url: null },
      subtitle: 'Sub',
      show_notes_html: '<p>Notes</p>',
      ai_content: null,
      chapters_url: null,
      podcast: { id: podcast.id, slug: 'fields', title: 'Fields' },
    };
    for (const path of [
      '/v1/podcasts/fields/episodes/first',
      `/v1/podcasts/${podcast.id}/episodes/${episode.id.toUpperCase()}`,
      '/v1/podcasts/fields/episodes/latest',
      `/v1/episodes/${episode.id}`,
    ]) {
      expect((await get(path)).json()).toEqual({ data: whole });
    }
    expect((await get(`/v1/podcasts/night-signals/episodes/${episode.id}`)).statusCode).toBe(404);
  });

  // FEED-3, PUB-18
  it('an episode that is published without audio is in the API and on pages, but not in the feed', async () => {
    const podcast = await makePodcast(app.ctx);
    const silent = await makeEpisode(app.ctx, podcast, { slug: 'silent', status: 'draft' });
    const heard = await makeEpisode(app.ctx, podcast, { slug: 'heard' });
    await attachTone(app.ctx, heard.id, 2);
    await publishEpisode(app.ctx, silent.id);
    const nothing = { url: null, content_type: null, duration_seconds: null, size_bytes: null };
    const listed = (await get(`/v1/podcasts/${podcast.slug}/episodes`)).json().data;
    expect(listed.map(({ slug }: { slug: string }) => slug)).toEqual(['silent', 'heard']);
    expect(listed[0].audio).toEqual(nothing);
    const { data } = (await get(`/v1/episodes/${silent.id}`)).json();
    expect(data.audio).toEqual({ ...nothing, waveform_url: null });
    const paths = [`/listen/${podcast.slug}/silent`, `/ep/${silent.id}`];
    for (const path of paths) expect((await get(path)).statusCode, path).toBe(200);
    expect((await get(`/listen/${podcast.slug}`)).body).toContain(paths[0]);
    const feed = (await get(`/feeds/${podcast.slug}.xml`)).body;
    expect(feed).toContain(heard.id);
    expect(feed).not.toContain(silent.id);
  });

  // PUB-15
  it('an episode has a description of plain text, which pages escape', async () => {
    const podcast = await makePodcast(app.ctx);
    const description = 'Bees & <b>honey</b> &amp; wax';
    const { id, slug } = await makeEpisode(app.ctx, podcast, { description });
    const { data } = (await get(`/v1/episodes/${id}`)).json();
    expect(data.description).toBe(description);
    const page = (await get(`/listen/${podcast.slug}/${slug}`)).body;
    expect(page).toContain('Bees &amp; &lt;b&gt;honey&lt;/b&gt; &amp;amp; wax');
    expect(page).not.toContain('<b>honey');
  });

  // REQ-24, STATE-7
  it('an episode appears at its second in every cached response', async () => {
    const podcast = await makePodcast(app.ctx);
    const at = new Date(app.clock.now().getTime() + 5_000);
    const episode = await makeEpisode(app.ctx, podcast, { status: 'scheduled', scheduledFor: at });
    const urls = [
      `/v1/episodes/${episode.id}`,
      `/v1/podcasts/${podcast.slug}/episodes/latest`,
      `/v1/podcasts/${podcast.slug}/episodes/${episode.slug}`,
    ];
    const count = async () => (await get(`/v1/podcasts/${podcast.slug}`)).json().data.episode_count;
    const listed = async () =>
      (await get(`/v1/podcasts/${podcast.slug}/episodes`)).json().data.length;
    app.clock.set(new Date(at.getTime() - 1));
    for (const url of urls) expect((await get(url)).statusCode).toBe(404);
    expect([await count(), await listed()]).toEqual([0, 0]);
    app.clock.set(at);
    for (const url of urls) {
      expect((await get(url)).json().data.published_at).toBe(at.toISOString());
    }
    expect([await count(), await listed()]).toEqual([1, 1]);
  });
});

describe('a show whose plan has lapsed', () => {
  // STATE-4
  it('a show whose plan has lapsed has the same public side as before', async () => {
    const owner = await makeUser(app.ctx, 'studio');
    const podcast = await makePodcast(app.ctx, { owner });
    const { id, slug } = await makeEpisode(app.ctx, podcast);
    await attachTone(app.ctx, id, 2);
    const read = async () => {
      const urls = [
        `/v1/podcasts/${podcast.slug}`,
        `/v1/podcasts/${podcast.slug}/episodes`,
        `/v1/podcasts/${podcast.slug}/episodes?season=1`,
        `/v1/episodes/${id}`,
        `/v1/oembed?url=${encodeURIComponent(`http://test.local/listen/${podcast.slug}/${slug}`)}`,
        `/listen/${podcast.slug}`,
        `/listen/${podcast.slug}/${slug}`,
        `/ep/${id}`,
        `/latest/${podcast.slug}`,
        `/feeds/${podcast.slug}.xml`,
        `/media/${id}/${slug}.mp3`,
      ];
      const responses = await Promise.all(urls.map((url) => get(url)));
      return responses.map(({ statusCode, body }, index) => [urls[index], statusCode, body]);
    };
    const before = await read();
    await setPlan(app.ctx, { email: owner.email, plan: 'studio', planState: 'lapsed' });
    expect(await read()).toEqual(before);
    expect(before.filter(([, status]) => status !== 200)).toEqual([]);
  });
});

describe('shows and episodes that are not public', () => {
  // ERR-12, PUB-23
  it('shows and episodes that are not public respond 403 if the show is suspended, and 404 if they are hidden', async () => {
    const podcast = await makePodcast(app.ctx);
    const episode = await makeEpisode(app.ctx, podcast);
    const draft = await makeEpisode(app.ctx, podcast, { status: 'draft' });
    const url = `/v1/podcasts/${podcast.slug}`;
    await get(url);
    await get(`${url}/episodes/${episode.id}`);
    await suspendPodcast(app.ctx, podcast.id);
    for (const path of [url, `${url}/episodes`, `${url}/episodes/${episode.id}`]) {
      const response = await get(path);
      expect(response.statusCode, path).toBe(403);
      expect(response.json().error.code).toBe('unavailable');
      expect(response.headers['cache-control']).toBe('no-store');
    }
    expect((await get(`/v1/episodes/${episode.id}`)).statusCode).toBe(403);
    for (const path of [`/v1/episodes/${draft.id}`, `${url}/episodes/${draft.id}`]) {
      expect((await get(path)).statusCode, path).toBe(404);
    }
    expect((await get(`${url}/episodes/unknown`)).statusCode).toBe(404);
  });

  // STATE-1
  it('shows and episodes that are not public respond 404 if the show is paused or a draft', async () => {
    const podcast = await makePodcast(app.ctx);
    await pausePodcast(app.ctx, podcast.id);
    const draft = await makePodcast(app.ctx, { status: 'draft' });
    expect((await get(`/v1/podcasts/${podcast.slug}`)).statusCode).toBe(404);
    expect((await get(`/v1/podcasts/${draft.slug}`)).statusCode).toBe(404);
  });
});
