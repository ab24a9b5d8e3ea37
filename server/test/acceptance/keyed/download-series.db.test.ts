import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KeyWithSecret } from '../../../src/domain/access/keys/index.ts';
import type { User } from '../../../src/domain/foundation/accounts/index.ts';
import { deleteEpisode, scheduleEpisode } from '../../../src/domain/publishing/episodes/index.ts';
import { offerOwnership, type Podcast } from '../../../src/domain/publishing/podcasts/index.ts';
import { acceptOwnership } from '../../../src/domain/service/shows/index.ts';
import { newId } from '../../../src/lib/uuid.ts';
import { askWithKey, countStatements } from '../../ask-with-key.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { makeDownloads } from '../../downloads.ts';
import { findEmailToken } from '../../find-emails.ts';
import { makeEpisode, makeKey, makePodcast, makeUser, testPassword } from '../../make.ts';

let app: TestApp;
let ana: User;
let key: KeyWithSecret;

beforeAll(async () => {
  // A Tuesday, 2026-03-10.
  app = await createTestApp();
  ana = await makeUser(app.ctx, 'enterprise');
  key = await makeKey(app.ctx, ana);
});
afterAll(() => app[Symbol.asyncDispose]());

const ask = (url: string, headers?: Record<string, string>) =>
  askWithKey(app, key.secret, url, headers);
const at = (day: string) => ({ at: new Date(`${day}T23:59:59.999Z`) });
const urlOf = ({ id }: Podcast, query = '') => `/v1/me/podcasts/${id}/analytics/downloads?${query}`;
const urlOfEpisode = ({ id }: { id: string }, query = '') =>
  `/v1/me/episodes/${id}/analytics/downloads?${query}`;
const read = async (url: string) => (await ask(url)).json();

interface Period {
  readonly period_start: string;
  readonly period_end: string;
  readonly downloads: number;
  readonly unique_listeners: number;
  readonly partial: boolean;
}
const write = (periods: readonly Period[]) =>
  periods.map(
    (period) =>
      `${period.period_start} ${period.period_end} ${period.downloads} ${period.unique_listeners}${period.partial ? ' partial' : ''}`,
  );

describe('downloads of a podcast', () => {
  // STAT-9, STAT-10, STAT-11, STAT-12, STAT-14, STAT-15
  it('downloads of a podcast are a dense series with its metadata', async () => {
    const podcast = await makePodcast(app.ctx, { owner: ana });
    const [one, two] = [await makeEpisode(app.ctx, podcast), await makeEpisode(app.ctx, podcast)];
    const listener = 'a'.repeat(32);
    await makeDownloads(app.ctx, one, 2, at('2026-03-08'));
    // One listener of two episodes.
    await makeDownloads(app.ctx, one, 1, { ...at('2026-03-09'), listener });
    await makeDownloads(app.ctx, two, 1, { ...at('2026-03-09'), listener });
    expect(await read(urlOf(podcast, 'from=2026-03-07'))).toEqual({
      data: {
        podcast_id: podcast.id,
        interval: 'day',
        periods: [
          ['2026-03-07', 0, 0, false],
          ['2026-03-08', 2, 2, false],
          ['2026-03-09', 2, 1, false],
          ['2026-03-10', 0, 0, true],
        ].map(([day, downloads, unique_listeners, partial]) => ({
          period_start: day,
          period_end: day,
          downloads,
          unique_listeners,
          partial,
        })),
        totals: { downloads: 4, peak_daily_unique_listeners: 2 },
      },
      meta: {
        range: {
          requested_from: '2026-03-07',
          requested_to: '2026-03-10',
          from: '2026-03-07',
          to: '2026-03-10',
          clamped: false,
          clamp_reason: null,
          retention_days: null,
          data_start: '2026-03-08',
        },
        freshness: {
          source: 'first_party',
          verified_from: '2026-03-08',
          complete_through: '2026-03-09',
          revisable_days: 2,
          today_partial: true,
          last_updated_at: app.clock.now().toISOString(),
        },
        methodology: {
          source: 'first_party',
          guideline: 'IAB Tech Lab Podcast Measurement Technical Guidelines 2.2',
          certified: false,
          download_definition: expect.stringContaining('60 seconds'),
          unique_listener_definition: expect.stringContaining('never added up'),
          day_boundary: 'UTC',
          docs_url: 'http://test.local/docs/counting',
        },
      },
    });
  });

  // STAT-4, STAT-5, STAT-14, STAT-15
  it('downloads of a podcast are grouped by ISO week or month, with the highest daily number of listeners', async () => {
    const podcast = await makePodcast(app.ctx, { owner: ana });
    const episode = await makeEpisode(app.ctx, podcast);
    for (const [day, count] of [
      ['2025-12-28', 1],
      ['2025-12-29', 2],
      ['2026-01-04', 3],
      ['2026-03-02', 1],
      ['2026-03-10', 2],
    ] as const) {
      await makeDownloads(app.ctx, episode, count, at(day));
    }
    const weeks = await read(urlOf(podcast, 'from=2025-12-27&to=2026-01-05&interval=week'));
    expect(write(weeks.data.periods)).toEqual([
      '2025-12-27 2025-12-28 1 1 partial',
      '2025-12-29 2026-01-04 5 3',
      '2026-01-05 2026-01-05 0 0 partial',
    ]);
    expect(weeks.meta.freshness.today_partial).toBe(false);
    const months = await read(urlOf(podcast, 'preset=all&interval=month'));
    expect(write(months.data.periods)).toEqual([
      '2025-12-28 2025-12-31 3 2 partial',
      '2026-01-01 2026-01-31 3 3',
      '2026-02-01 2026-02-28 0 0',
      '2026-03-01 2026-03-10 3 2 partial',
    ]);
    expect(months.data.totals).toEqual({ downloads: 9, peak_daily_unique_listeners: 3 });
    expect(months.meta.range).toMatchObject({ requested_from: '2025-12-28', from: '2025-12-28' });
  });

  // STAT-1, STAT-3, STAT-4
  it('downloads of a podcast cover the last thirty days by default', async () => {
    const podcast = await makePodcast(app.ctx, { owner: ana });
    const range = async (query: string) => {
      const { data, meta } = await read(urlOf(podcast, query));
      expect(data.periods.length).toBe(
        1 + (Date.parse(meta.range.to) - Date.parse(meta.range.from)) / 86_400_000,
      );
      return `${meta.range.from} ${meta.range.to}`;
    };
    expect(await range('')).toBe('2026-02-09 2026-03-10');
    expect(await range('preset=7d')).toBe('2026-03-04 2026-03-10');
    expect(await range('preset=12m')).toBe('2025-03-11 2026-03-10');
    expect(await range('preset=all')).toBe('2026-03-10 2026-03-10');
    expect(await range('from=2025-01-01&to=2025-01-03')).toBe('2025-01-01 2025-01-03');
  });

  // STAT-4, STAT-7, STAT-8, STAT-17
  it('downloads of a podcast are limited to the history of the plan, as the response states', async () => {
    const bo = await makeUser(app.ctx, 'creator');
    const { secret } = await makeKey(app.ctx, bo);
    const podcast = await makePodcast(app.ctx, { owner: bo });
    const episode = await makeEpisode(app.ctx, podcast);
    await makeDownloads(app.ctx, episode, 2, at('2024-05-05'));
    await makeDownloads(app.ctx, episode, 1, at('2025-03-11'));
    const read = async (url: string) => (await askWithKey(app, secret, url)).json();
    const all = await read(urlOf(podcast, 'preset=all'));
    expect(all.meta.range).toEqual({
      requested_from: '2024-05-05',
      requested_to: '2026-03-10',
      from: '2025-03-11',
      to: '2026-03-10',
      clamped: true,
      clamp_reason: 'plan_history',
      retention_days: 365,
      data_start: '2024-05-05',
    });
    expect(all.data.periods).toHaveLength(365);
    expect(all.data.totals.downloads).toBe(1);
    expect(
      (await read(urlOf(podcast, 'from=2020-01-01&to=2025-03-10&interval=week'))).error,
    ).toEqual(
      expect.objectContaining({
        code: 'invalid_request',
        details: [{ field: 'to', reason: 'outside_retention', message: expect.any(String) }],
      }),
    );
    // The figures that have no range are not limited by the plan.
    const ofEpisode = await read(urlOfEpisode(episode, 'preset=7d'));
    expect(ofEpisode.data).toMatchObject({ all_time_downloads: 3, totals: { downloads: 0 } });
    expect(ofEpisode.meta.range.data_start).toBe('2024-05-05');
  });

  // STAT-4, STAT-10
  it('downloads of an episode begin with its own first download, not with that of its show', async () => {
    const podcast = await makePodcast(app.ctx, { owner: ana });
    const [old, young] = [await makeEpisode(app.ctx, podcast), await makeEpisode(app.ctx, podcast)];
    await makeDownloads(app.ctx, old, 1, at('2026-02-01'));
    await makeDownloads(app.ctx, young, 1, at('2026-03-08'));
    // A day whose requests were not downloads after all.
    await app.database.pool.query(
      `insert into episode_download_days (episode_id, podcast_id, day, downloads)
       values ($1, $2, '2026-03-02', 0)`,
      [young.id, podcast.id],
    );
    const rangeOf = async (url: string) => (await read(url)).meta.range;
    const own = { from: '2026-03-08', data_start: '2026-03-08' };
    expect(await rangeOf(urlOfEpisode(young, 'preset=all'))).toMatchObject(own);
    expect(await rangeOf(urlOfEpisode(old, 'preset=all'))).toMatchObject({
      ...{ from: '2026-02-01', data_start: '2026-02-01' },
    });
    const breakdown = `/v1/me/podcasts/${podcast.id}/analytics/breakdowns?dimension=apps`;
    expect(await rangeOf(`${breakdown}&preset=all&episode_id=${young.id}`)).toMatchObject(own);
    expect(await rangeOf(urlOf(podcast, 'preset=all'))).toMatchObject({ from: '2026-02-01' });
  });

  // ACCT-19, ACCT-20, AUTH-10
  it('downloads of a podcast move with a show that is transferred, within the history of its new plan', async () => {
    const heir = await makeUser(app.ctx, 'creator');
    const { secret } = await makeKey(app.ctx, heir);
    const podcast = await makePodcast(app.ctx, { owner: ana });
    const episode = await makeEpisode(app.ctx, podcast);
    await makeDownloads(app.ctx, episode, 2, at('2024-05-05'));
    await makeDownloads(app.ctx, episode, 1, at('2026-03-09'));
    const url = urlOf(podcast, 'preset=all&interval=month');
    const as = ({ id: userId }: User) => app.contextFor({ kind: 'user', userId });
    const offer = { podcastId: podcast.id, email: heir.email, currentPassword: testPassword };
    await offerOwnership(as(ana), offer);
    expect((await askWithKey(app, secret, url)).statusCode).toBe(404);
    expect((await read(url)).data.totals.downloads).toBe(3);
    const token = await findEmailToken(app, heir.email);
    await acceptOwnership(as(heir), { token, teamKeys: true });
    // The old owner is an admin now, and figures are for the owner's keys alone.
    expect((await read(url)).error.code).toBe('forbidden');
    const { data, meta } = (await askWithKey(app, secret, url)).json();
    expect(data.totals.downloads).toBe(1);
    expect(meta.range).toMatchObject({ retention_days: 365, data_start: '2024-05-05' });
  });

  it('downloads of a podcast include those of a deleted episode', async () => {
    const podcast = await makePodcast(app.ctx, { owner: ana });
    const episode = await makeEpisode(app.ctx, podcast);
    await makeDownloads(app.ctx, episode, 2);
    await deleteEpisode(app.ctx, episode.id);
    expect((await read(urlOf(podcast))).data.totals.downloads).toBe(2);
    const breakdown = `/v1/me/podcasts/${podcast.id}/analytics/breakdowns?dimension=apps`;
    expect((await read(breakdown)).data.total_downloads).toBe(2);
    const ofEpisode = [`${breakdown}&episode_id=${episode.id}`, urlOfEpisode(episode)];
    for (const url of ofEpisode) expect((await read(url)).error.code).toBe('not_found');
  });

  // COUNT-10, STAT-27
  it('downloads are missing for a podcast hosted elsewhere', async () => {
    const podcast = await makePodcast(app.ctx, { owner: ana, hostingType: 'external' });
    const episode = await makeEpisode(app.ctx, podcast);
    await makeDownloads(app.ctx, episode, 3, at('2026-03-09'));
    const ofPodcast = await read(urlOf(podcast, 'preset=7d'));
    expect(ofPodcast.data.totals).toEqual({ downloads: 0, peak_daily_unique_listeners: 0 });
    expect(ofPodcast.data.periods).toHaveLength(7);
    expect(ofPodcast.meta).toMatchObject({
      range: { data_start: null },
      freshness: { source: 'none', verified_from: null, complete_through: null },
    });
    expect((await read(urlOfEpisode(episode))).data).toMatchObject({
      totals: { downloads: 0 },
      all_time_downloads: 0,
      first_7_days_downloads: 0,
    });
  });
});

describe('downloads of an episode', () => {
  // STAT-16, STAT-17
  it('downloads of an episode are its own, with the first seven days of publication', async () => {
    const podcast = await makePodcast(app.ctx, { owner: ana });
    const publishedAt = new Date('2026-02-01T22:00:00Z');
    const episode = await makeEpisode(app.ctx, podcast, { publishedAt });
    const other = await makeEpisode(app.ctx, podcast);
    await makeDownloads(app.ctx, other, 7, at('2026-02-02'));
    // Before publication, its first and its last of seven days, and the next one.
    for (const [day, count] of [
      ['2026-01-31', 1],
      ['2026-02-01', 2],
      ['2026-02-07', 3],
      ['2026-02-08', 4],
    ] as const) {
      await makeDownloads(app.ctx, episode, count, at(day));
    }
    const { data, meta } = await read(
      urlOfEpisode({ id: episode.id.toUpperCase() }, 'from=2026-02-02&to=2026-02-08&interval=week'),
    );
    expect(data).toEqual({
      podcast_id: podcast.id,
      episode_id: episode.id,
      interval: 'week',
      periods: [
        {
          period_start: '2026-02-02',
          period_end: '2026-02-08',
          downloads: 7,
          unique_listeners: 4,
          partial: false,
        },
      ],
      totals: { downloads: 7, peak_daily_unique_listeners: 4 },
      all_time_downloads: 10,
      first_7_days_downloads: 5,
    });
    expect(meta.range.data_start).toBe('2026-01-31');
  });

  it('downloads of an episode have no first seven days before the episode is public', async () => {
    const podcast = await makePodcast(app.ctx, { owner: ana });
    const episode = await makeEpisode(app.ctx, podcast, { status: 'draft' });
    await makeDownloads(app.ctx, episode, 2);
    const first = async () => (await read(urlOfEpisode(episode))).data.first_7_days_downloads;
    expect(await first()).toBe(0);
    const now = app.clock.now();
    await scheduleEpisode(app.ctx, episode.id, new Date(now.getTime() + 1_000));
    expect(await first()).toBe(0);
    app.clock.advance(1_000);
    expect(await first()).toBe(2);
    app.clock.set(now);
  });
});

describe('freshness', () => {
  // STAT-11
  it('freshness is that of the slowest process, and null before the first count', async () => {
    await using fresh = await createTestApp();
    const bo = await makeUser(fresh.ctx);
    const { secret } = await makeKey(fresh.ctx, bo);
    const podcast = await makePodcast(fresh.ctx, { owner: bo });
    const freshness = async () =>
      (await askWithKey(fresh, secret, urlOf(podcast))).json().meta.freshness;
    const setWriter = (id: string, until: string) =>
      fresh.database.pool.query(
        `insert into download_writers (id, complete_until) values ($1, $2)
          on conflict (id) do update set complete_until = excluded.complete_until`,
        [id, until],
      );
    expect(await freshness()).toMatchObject({
      last_updated_at: null,
      complete_through: '2026-03-09',
      verified_from: null,
    });
    await setWriter('one', '2026-03-10T11:59:59Z');
    await setWriter('two', '2026-03-09T23:59:59.999Z');
    expect((await freshness()).complete_through).toBe('2026-03-08');
    await setWriter('two', '2026-03-10T00:00:00Z');
    expect((await freshness()).complete_through).toBe('2026-03-09');
  });
});

describe('a request', () => {
  // REQ-8, STAT-1, STAT-2, STAT-6
  it('a request names every wrong parameter at once', async () => {
    const podcast = await makePodcast(app.ctx, { owner: ana });
    const wrong = async (query: string) => {
      const { error } = await read(urlOf(podcast, query));
      return error.details.map(({ field, reason = '' }: { field: string; reason?: string }) =>
        `${field} ${reason}`.trim(),
      );
    };
    expect(await wrong('preset=8d&interval=year&from=1.3.2026&to=2026-02-30')).toEqual([
      'preset',
      'from',
      'interval',
      'to',
    ]);
    expect(await wrong('preset=7d&from=2026-03-11')).toEqual(['preset', 'from']);
    expect(await wrong('to=2026-03-11')).toEqual(['to', 'from']);
    expect(await wrong('from=2026-03-01&from=2026-03-02')).toEqual(['from']);
    expect(await wrong('from=2023-01-01')).toEqual(['from series_too_long']);
    expect(await wrong('from=2023-01-01&interval=hour')).toEqual(['interval']);
    expect(await wrong('from=0000-00-00&to=9999-99-99')).toEqual(['from', 'to']);
  });

  // AUTH-5, STAT-6, STAT-8
  it('a request is refused in the order of AUTH-5', async () => {
    const codeOf = async (secret: string, url: string) => {
      const response = await askWithKey(app, secret, url);
      const { code, details } = response.json().error;
      return `${response.statusCode} ${details?.[0]?.reason ?? code}`;
    };
    const bo = await makeUser(app.ctx, 'creator');
    const { secret } = await makeKey(app.ctx, bo);
    const { secret: without } = await makeKey(app.ctx, bo, { scopes: ['podcasts:read'] });
    const [theirs, mine] = [await makePodcast(app.ctx), await makePodcast(app.ctx, { owner: bo })];
    const tooLong = 'from=2010-01-01&to=2015-01-01';
    expect(await codeOf(without, urlOf(mine, tooLong))).toBe('403 insufficient_scope');
    // The range is too long for any plan, so the podcast is not even read.
    expect(await codeOf(secret, urlOf(theirs, tooLong))).toBe('400 series_too_long');
    const ended = 'from=2015-01-01&to=2015-01-02';
    expect(await codeOf(secret, urlOf(theirs, ended))).toBe('404 not_found');
    expect(await codeOf(secret, urlOf(mine, ended))).toBe('400 outside_retention');
    expect(await codeOf(secret, urlOfEpisode({ id: newId() }, ended))).toBe('404 not_found');
  });

  // STAT-6
  it('a request for all days of a long history is refused only for a daily series', async () => {
    const podcast = await makePodcast(app.ctx, { owner: ana });
    const episode = await makeEpisode(app.ctx, podcast);
    await makeDownloads(app.ctx, episode, 1, at('2020-01-01'));
    for (const url of [urlOf(podcast, 'preset=all'), urlOfEpisode(episode, 'preset=all')]) {
      const [detail] = (await read(url)).error.details;
      expect(detail).toMatchObject({ field: 'preset', reason: 'series_too_long' });
      expect((await read(`${url}&interval=week`)).data.totals.downloads).toBe(1);
    }
  });

  it('a request runs two statements, and is 304 until something is counted', async () => {
    const podcast = await makePodcast(app.ctx, { owner: ana });
    const episode = await makeEpisode(app.ctx, podcast);
    for (const url of [urlOf(podcast), urlOfEpisode(episode)]) {
      let etag = '';
      const statements = await countStatements(app, async () => {
        etag = String((await ask(url)).headers['etag']);
      });
      expect(statements).toBe(2);
      const unchanged = await ask(url, { 'if-none-match': etag });
      expect(unchanged.statusCode).toBe(304);
      expect(unchanged.headers['ratelimit']).toMatch(/^account;.*, plan;/);
      await makeDownloads(app.ctx, episode, 1);
      expect((await ask(url, { 'if-none-match': etag })).statusCode).toBe(200);
    }
  });
});
