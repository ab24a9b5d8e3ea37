import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KeyWithSecret } from '../../../src/domain/access/keys/index.ts';
import type { User } from '../../../src/domain/foundation/accounts/index.ts';
import {
  archiveEpisode,
  type Episode,
  scheduleEpisode,
  unpublishEpisode,
} from '../../../src/domain/publishing/episodes/index.ts';
import type { Podcast } from '../../../src/domain/publishing/podcasts/index.ts';
import { askWithKey, countStatements } from '../../ask-with-key.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { makeDownloads } from '../../downloads.ts';
import { makeEpisode, makeKey, makePodcast, makeUser } from '../../make.ts';

let app: TestApp;
let ana: User;
let key: KeyWithSecret;
let podcast: Podcast;

beforeAll(async () => {
  app = await createTestApp();
  ana = await makeUser(app.ctx, 'enterprise');
  key = await makeKey(app.ctx, ana);
  podcast = await makePodcast(app.ctx, { owner: ana });
});
afterAll(() => app[Symbol.asyncDispose]());

const ask = (url: string, headers?: Record<string, string>) =>
  askWithKey(app, key.secret, url, headers);
const urlOf = ({ id }: Podcast, query = '') => `/v1/me/podcasts/${id}/analytics/episodes?${query}`;
const read = async (query?: string, of = podcast) => (await ask(urlOf(of, query))).json();
const at = (day: string) => ({ at: new Date(`${day}T12:00:00Z`) });
const publishedOn = (day: string, of = podcast) =>
  makeEpisode(app.ctx, of, { publishedAt: new Date(`${day}T06:00:00Z`) });

interface Item {
  readonly episode_id: string;
}
const idsOf = (page: { readonly data: readonly Item[] }) =>
  page.data.map(({ episode_id }) => episode_id);

describe('the downloads of each episode', () => {
  // STAT-18, STAT-19
  it('the downloads of each episode are of the range, of all time and of the first seven days', async () => {
    const show = await makePodcast(app.ctx, { owner: ana });
    const [older, newer] = [
      await publishedOn('2026-01-10', show),
      await publishedOn('2026-03-01', show),
    ];
    await makeDownloads(app.ctx, older, 2, at('2026-01-16'));
    await makeDownloads(app.ctx, older, 3, at('2026-03-05'));
    await makeDownloads(app.ctx, newer, 1, at('2026-03-01'));
    const { data, meta, pagination } = await read('preset=7d', show);
    expect(data).toEqual([
      {
        episode_id: newer.id,
        title: newer.title,
        slug: newer.slug,
        status: 'published',
        published_at: '2026-03-01T06:00:00.000Z',
        downloads: 0,
        all_time_downloads: 1,
        first_7_days_downloads: 1,
      },
      {
        episode_id: older.id,
        title: older.title,
        slug: older.slug,
        status: 'published',
        published_at: '2026-01-10T06:00:00.000Z',
        downloads: 3,
        all_time_downloads: 5,
        first_7_days_downloads: 2,
      },
    ]);
    expect(meta.range).toMatchObject({ from: '2026-03-04', data_start: '2026-01-16' });
    expect(pagination).toEqual({ next_cursor: null });
    const all = await read('preset=all', show);
    expect(all.data.map(({ downloads }: { downloads: number }) => downloads)).toEqual([1, 5]);
  });

  // STAT-18
  it('the downloads of each episode are of published episodes, and of others that have downloads', async () => {
    const show = await makePodcast(app.ctx, { owner: ana });
    const make = (status: Episode['status'], input: object = {}) =>
      makeEpisode(app.ctx, show, { status, ...input });
    const [draft, published] = [await make('draft'), await make('published')];
    const [taken, archived, scheduled] = [
      await publishedOn('2026-02-03', show),
      await publishedOn('2026-02-02', show),
      await make('draft'),
    ];
    await make('pending_confirmation');
    const quiet = await publishedOn('2026-02-01', show);
    for (const episode of [draft, taken, archived]) await makeDownloads(app.ctx, episode, 1);
    await unpublishEpisode(app.ctx, taken.id);
    await archiveEpisode(app.ctx, archived.id);
    await archiveEpisode(app.ctx, quiet.id);
    const now = app.clock.now();
    await scheduleEpisode(app.ctx, scheduled.id, new Date(now.getTime() + 1_000));
    const statuses = async () =>
      (await read('', show)).data.map(
        ({ episode_id, status, published_at }: Item & { status: string; published_at: unknown }) =>
          `${episode_id} ${status} ${published_at}`,
      );
    const hourAgo = '2026-03-10T11:00:00.000Z';
    const listed = [
      `${published.id} published ${hourAgo}`,
      `${taken.id} draft 2026-02-03T06:00:00.000Z`,
      `${archived.id} archived 2026-02-02T06:00:00.000Z`,
      `${draft.id} draft null`,
    ];
    expect(await statuses()).toEqual(listed);
    app.clock.advance(1_000);
    const due = `${scheduled.id} published ${app.clock.now().toISOString()}`;
    expect(await statuses()).toEqual([due, ...listed]);
    app.clock.set(now);
  });

  // REQ-17, REQ-19
  it('the downloads of each episode come in pages, which show no episode twice and hide none', async () => {
    const show = await makePodcast(app.ctx, { owner: ana });
    const made: string[] = [];
    for (let day = 10; day < 17; day += 1) {
      made.unshift((await publishedOn(`2026-02-${day}`, show)).id);
    }
    const first = await read('preset=7d&limit=3', show);
    expect(idsOf(first)).toEqual(made.slice(0, 3));
    // Between two pages, an episode is published and another gets a new date.
    await publishedOn('2026-02-20', show);
    await unpublishEpisode(app.ctx, made[0] ?? '');
    const cursor = first.pagination.next_cursor;
    const second = await read(`preset=7d&limit=2&cursor=${cursor}`, show);
    const last = await read(`preset=7d&limit=100&cursor=${second.pagination.next_cursor}`, show);
    expect([...idsOf(second), ...idsOf(last)]).toEqual(made.slice(3));
    expect(last.pagination.next_cursor).toBeNull();
    // Every page has its own metadata.
    expect(last.meta.range.from).toBe('2026-03-04');
    const foreign = async (query: string, of = show) =>
      (await read(`${query}&cursor=${cursor}`, of)).error.details[0].field;
    expect(await foreign('preset=30d')).toBe('cursor');
    const usual = (await read('limit=3', show)).pagination.next_cursor;
    const named = await read(`preset=30d&limit=2&cursor=${usual}`, show);
    expect(idsOf(named)).toEqual(idsOf(second));
    expect(await foreign('')).toBe('cursor');
    expect(await foreign('preset=7d', podcast)).toBe('cursor');
    expect((await ask(`/v1/me/podcasts/${show.id}/episodes?cursor=${cursor}`)).statusCode).toBe(
      400,
    );
  });

  // STAT-27
  it('the downloads of each episode are an empty list for a show without episodes, and zeros for one hosted elsewhere', async () => {
    const empty = await read('', await makePodcast(app.ctx, { owner: ana }));
    expect(empty).toMatchObject({ data: [], pagination: { next_cursor: null } });
    expect(empty.meta.freshness.source).toBe('first_party');
    const external = await makePodcast(app.ctx, { owner: ana, hostingType: 'external' });
    await makeDownloads(app.ctx, await publishedOn('2026-03-01', external), 2, at('2026-03-02'));
    const { data, meta } = await read('', external);
    expect(data).toMatchObject([
      { downloads: 0, all_time_downloads: 0, first_7_days_downloads: 0 },
    ]);
    expect(meta.freshness.source).toBe('none');
  });

  it('the downloads of each episode take two statements a page, and 304 if nothing has changed', async () => {
    const show = await makePodcast(app.ctx, { owner: ana });
    for (let day = 10; day < 15; day += 1) {
      await makeDownloads(app.ctx, await publishedOn(`2026-02-${day}`, show), 1);
    }
    let url = urlOf(show, 'limit=2');
    for (const expected of [2, 2, 1]) {
      let etag = '';
      const statements = await countStatements(app, async () => {
        const response = await ask(url);
        etag = String(response.headers['etag']);
        const page = response.json();
        expect(page.data).toHaveLength(expected);
      });
      expect(statements).toBe(2);
      expect((await ask(url, { 'if-none-match': etag })).statusCode).toBe(304);
      const { next_cursor } = (await ask(url)).json().pagination;
      url = urlOf(show, `limit=2&cursor=${next_cursor}`);
    }
  });

  // REQ-8, STAT-2
  it('the downloads of each episode may be requested for any number of days, and are refused like any other range', async () => {
    expect((await read('from=1970-01-01')).meta.range.from).toBe('1970-01-01');
    const fields = (await read('from=2026-03-11&limit=0&cursor=x')).error.details.map(
      ({ field }: { field: string }) => field,
    );
    expect(fields.sort()).toEqual(['cursor', 'from', 'limit']);
  });
});
