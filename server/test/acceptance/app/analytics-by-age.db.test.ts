import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { User } from '../../../src/domain/foundation/accounts/index.ts';
import {
  type Episode,
  publishEpisode,
  scheduleEpisode,
  unpublishEpisode,
} from '../../../src/domain/publishing/episodes/index.ts';
import type { Podcast } from '../../../src/domain/publishing/podcasts/index.ts';
import { addDays } from '../../../src/lib/utc-day.ts';
import { type Browser, createBrowser } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { makeDownloads } from '../../downloads.ts';
import { makeEpisode, makePodcast, makeUser } from '../../make.ts';

let app: TestApp;
let owner: User;
let browser: Browser;

beforeAll(async () => {
  // 2026-03-10.
  app = await createTestApp();
  owner = await makeUser(app.ctx, 'enterprise');
  browser = createBrowser(app);
  await browser.signIn(owner.email);
});
afterAll(() => app[Symbol.asyncDispose]());

const today = '2026-03-10';
const read = async (url: string) => (await browser.get(url)).json();
const typicalOf = ({ id }: Episode) => read(`/app/api/episodes/${id}/analytics/typical`);

/** Makes an episode with these downloads by day of age. Without any, it was imported later. */
async function makeAged(
  podcast: Podcast,
  ageDays: number,
  downloads: readonly number[],
  input: Partial<Parameters<typeof makeEpisode>[2]> = {},
): Promise<Episode> {
  const published = addDays(today, -ageDays);
  const publishedAt = new Date(`${published}T04:00:00Z`);
  const episode = await makeEpisode(app.ctx, podcast, { publishedAt, ...input });
  for (const [index, count] of downloads.entries()) {
    const at = new Date(`${addDays(published, index)}T08:00:00Z`);
    if (count > 0) await makeDownloads(app.ctx, episode, count, { at });
  }
  return episode;
}

async function makePast(podcast: Podcast): Promise<void> {
  for (const [index, first] of [4, 1, 5, 2, 3].entries()) {
    await makeAged(podcast, 10 + 7 * index, [first, 0, 1]);
  }
}

describe('the comparison with your typical episode', () => {
  it('contains the range of earlier episodes and the days of this one', async () => {
    const podcast = await makePodcast(app.ctx, { owner });
    await makePast(podcast);
    // These two must not be compared.
    await makeAged(podcast, 12, [9], { episodeType: 'trailer' });
    await makeAged(podcast, 100, [0, 0, 0, 9]);
    const episode = await makeAged(podcast, 2, [6, 2, 1]);
    const later = await makeAged(podcast, 1, [9]);
    const { data, meta } = await typicalOf(episode);
    expect(data).toMatchObject({
      ...{ podcast_id: podcast.id, episode_id: episode.id, episode_type: 'full', obstacle: null },
      episode: {
        ...{ episode_id: episode.id, published_on: '2026-03-08', totals: [6, 8], so_far: 9 },
      },
      typical: {
        standing: { day: 2, downloads: 8, higher_than: 5, position: 'above' },
        method: {
          ...{ compared_episodes: 5, needed_episodes: 5, horizon_days: 7, monthly_growth: 0 },
          ...{ published_from: '2026-01-31', published_to: '2026-02-28' },
          left_out: { early_days_missing: 1, early_downloads: 0, republished: 0, too_young: 0 },
        },
      },
    });
    expect(data.typical.days).toHaveLength(7);
    expect(data.typical.days[2]).toEqual({
      ...{ day: 3, median: 4, half: { low: 2.5, high: 5.5 }, most: null },
    });
    expect(meta.freshness).toMatchObject({ complete_through: '2026-03-09', today_partial: true });
    // The earlier episode is too young for a comparison of a week.
    expect((await typicalOf(later)).data.typical.method).toMatchObject({
      ...{ compared_episodes: 5, left_out: { early_days_missing: 1, too_young: 1 } },
    });
  });

  it('the typical range is unknown for the first episodes of a show', async () => {
    const podcast = await makePodcast(app.ctx, { owner });
    const { data } = await typicalOf(await makeAged(podcast, 3, [2]));
    expect(data.typical).toMatchObject({ days: [], standing: null });
    expect(data.typical.method).toMatchObject({ compared_episodes: 0, published_from: null });
    expect(data.episode.totals).toEqual([2, 2, 2]);
  });

  it('leaves out an episode that was withdrawn for a time', async () => {
    const podcast = await makePodcast(app.ctx, { owner });
    await makePast(podcast);
    const withdrawn = await makeAged(podcast, 20, [3]);
    await app.database.pool.query('update episodes set created_at = $2 where id = $1', [
      withdrawn.id,
      '2026-02-01T00:00:00Z',
    ]);
    const episode = await makeAged(podcast, 2, [6]);
    expect((await typicalOf(episode)).data.typical.method.compared_episodes).toBe(5);
    await unpublishEpisode(app.ctx, withdrawn.id);
    await publishEpisode(app.ctx, withdrawn.id);
    const { method } = (await typicalOf(episode)).data.typical;
    expect(method.left_out.republished).toBe(1);
    expect((await typicalOf(withdrawn)).data).toMatchObject({
      ...{ typical: null, obstacle: 'republished' },
    });
  });

  it('the typical range needs a publication, its first days, and the plan', async () => {
    const podcast = await makePodcast(app.ctx, { owner });
    const planned = await makeEpisode(app.ctx, podcast, { status: 'draft' });
    await scheduleEpisode(app.ctx, planned.id, new Date('2026-03-11T06:00:00Z'));
    expect((await typicalOf(planned)).data).toMatchObject({
      ...{ obstacle: 'not_published', episode: null, typical: null },
    });
    const imported = await makeAged(podcast, 40, []);
    expect((await typicalOf(imported)).data).toMatchObject({
      ...{ obstacle: 'early_days_missing', typical: null },
    });
    const free = await makeUser(app.ctx, 'free');
    const small = createBrowser(app, { address: '198.51.100.8' });
    await small.signIn(free.email);
    const old = await makeAged(await makePodcast(app.ctx, { owner: free }), 120, [1]);
    const response = await small.get(`/app/api/episodes/${old.id}/analytics/typical`);
    expect(response.json().data).toMatchObject({ obstacle: 'plan_history', episode: null });
  });
});

describe('episodes by age', () => {
  it('episodes by age begin on the same day', async () => {
    const podcast = await makePodcast(app.ctx, { owner });
    const older = await makeAged(podcast, 20, [3, 0, 2]);
    const newer = await makeAged(podcast, 2, [4, 1, 1]);
    const unknown = await makeAged(podcast, 30, []);
    const ids = [older, newer, unknown].map(({ id }) => id).join(',');
    const url = `/app/api/podcasts/${podcast.id}/analytics/by-age?days=4`;
    const { data } = await read(`${url}&episodes=${ids}`);
    expect(data).toMatchObject([
      { episode_id: newer.id, totals: [4, 5], so_far: 6, exclusion_reason: null },
      { episode_id: older.id, totals: [3, 3, 5, 5], so_far: null, exclusion_reason: null },
      { episode_id: unknown.id, totals: [], so_far: null, exclusion_reason: 'early_days_missing' },
    ]);
    expect((await read(url)).data).toHaveLength(3);
  });

  it('episodes by age are those of the podcast', async () => {
    const podcast = await makePodcast(app.ctx, { owner });
    const other = await makeAged(await makePodcast(app.ctx, { owner }), 3, [1]);
    const url = `/app/api/podcasts/${podcast.id}/analytics/by-age?episodes=${other.id}`;
    expect((await read(url)).data).toEqual([]);
  });

  it('episodes by age are ten at most', async () => {
    const podcast = await makePodcast(app.ctx, { owner });
    const ids = new Array(11).fill(podcast.id).join(',');
    const url = `/app/api/podcasts/${podcast.id}/analytics/by-age?episodes=${ids}`;
    expect((await browser.get(url)).statusCode).toBe(400);
  });
});

it('members without statistics may not read them by age', async () => {
  const podcast = await makePodcast(app.ctx);
  const episode = await makeAged(podcast, 3, [1]);
  for (const url of [
    `/app/api/podcasts/${podcast.id}/analytics/by-age`,
    `/app/api/episodes/${episode.id}/analytics/typical`,
  ]) {
    expect((await browser.get(url)).statusCode).toBe(404);
  }
});
