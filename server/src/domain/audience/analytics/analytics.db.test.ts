import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { ingest, makeAudioRequest, makeShow, type Show } from '../../../../test/downloads.ts';
import { addDays, utcDayOf } from '../../../lib/utc-day.ts';
import { type AudioRequest, sumMonths } from '../downloads/index.ts';
import {
  intervals,
  listEpisodeAnalytics,
  readBreakdown,
  readEpisodeDownloads,
  readPodcastDownloads,
} from './index.ts';

/** Some hundred downloads of three years, and what every endpoint must say of any range of them. */
let test: TestContext;
let show: Show;
let downloads: readonly AudioRequest[];
const listeners = 6;
/** Of the listeners in turn. */
const countries = ['DE', 'AT', 'FR', null];
const days = 1_000;

beforeAll(async () => {
  test = await createTestContext();
  show = await makeShow(test.ctx);
  const now = test.ctx.clock.now();
  const anyRequest = fc
    .record({
      ago: fc.nat({ max: days - 1 }),
      minute: fc.nat({ max: 1_439 }),
      listener: fc.nat({ max: listeners - 1 }),
      episode: fc.nat({ max: 1 }),
      referrer: fc.constantFrom('a.example', 'b.example', null, null),
    })
    .map(({ ago, minute, listener, episode, referrer }) =>
      makeAudioRequest(test.ctx, show, {
        at: new Date(Date.parse(addDays(utcDayOf(now), -ago)) + minute * 60_000),
        listener: String(listener).repeat(32),
        episodeId: show.episodeIds[episode] ?? '',
        country: countries[listener % countries.length] ?? null,
        referrer,
      }),
    );
  const [sample] = fc.sample(fc.array(anyRequest, { minLength: 600, maxLength: 600 }), {
    seed: 2_026,
    numRuns: 1,
  });
  // On the day of the clock nothing is later than now.
  const requests = (sample ?? []).filter(({ at }) => at <= now);
  // A log may be dated ahead. Tomorrow is counted, and in no range yet.
  requests.push(
    makeAudioRequest(test.ctx, show, {
      at: new Date(addDays(utcDayOf(now), 1)),
      ...{ listener: '9'.repeat(32), episodeId: show.episodeIds[0] ?? '', country: 'DE' },
    }),
  );
  // Some months are summed by value, some have changed since, and one is not over yet.
  await ingest(test.ctx, ...requests.slice(8));
  await sumMonths(test.ctx);
  await ingest(test.ctx, ...requests.slice(0, 8));
  downloads = firstOfEach(requests);
});
afterAll(() => test[Symbol.asyncDispose]());

/** The earliest request of each listener, episode and day. */
function firstOfEach(requests: readonly AudioRequest[]): AudioRequest[] {
  const first = new Map<string, AudioRequest>();
  for (const request of [...requests].sort((a, b) => a.at.getTime() - b.at.getTime())) {
    const name = `${utcDayOf(request.at)} ${request.episodeId} ${request.listener}`;
    if (!first.has(name)) first.set(name, request);
  }
  return [...first.values()];
}

function downloadsIn(from: string, to: string): AudioRequest[] {
  return downloads.filter(({ at }) => from <= utcDayOf(at) && utcDayOf(at) <= to);
}

const anyRange = fc
  .tuple(fc.nat({ max: days - 1 }), fc.nat({ max: days - 1 }))
  .map(([a, b]) => [Math.max(a, b), Math.min(a, b)] as const);

it('every figure of any range is that of a count by hand', async () => {
  const today = utcDayOf(test.ctx.clock.now());
  const { podcastId, episodeIds } = show;
  await fc.assert(
    fc.asyncProperty(anyRange, fc.constantFrom(...intervals), async ([start, end], interval) => {
      const range = { from: addDays(today, -start), to: addDays(today, -end) };
      const expected = downloadsIn(range.from, range.to);
      const series = await readPodcastDownloads(test.ctx, podcastId, { range, interval });
      expect(series.totals.downloads).toBe(expected.length);
      for (const period of series.periods) {
        const within = downloadsIn(period.start, period.end);
        expect(period.downloads).toBe(within.length);
        const ofDays = new Map<string, Set<string>>();
        for (const { at, listener } of within) {
          const day = utcDayOf(at);
          ofDays.set(day, (ofDays.get(day) ?? new Set()).add(listener));
        }
        const peak = Math.max(0, ...[...ofDays.values()].map(({ size }) => size));
        expect(period.peakDailyListeners).toBe(peak);
      }
      const { items } = await listEpisodeAnalytics(test.ctx, {
        ...{ podcastId, range, after: undefined, limit: 10 },
      });
      for (const episodeId of episodeIds) {
        const own = expected.filter((download) => download.episodeId === episodeId);
        const ofEpisode = await readEpisodeDownloads(test.ctx, episodeId, { range, interval });
        expect(ofEpisode.totals.downloads).toBe(own.length);
        expect(items.find(({ id }) => id === episodeId)?.downloads).toBe(own.length);
        await expectBreakdown(episodeId, range, own);
      }
      await expectBreakdown(undefined, range, expected);
    }),
    { numRuns: 25, examples: [[[days - 1, 0], 'month']] },
  );
});

async function expectBreakdown(
  episodeId: string | undefined,
  range: { readonly from: string; readonly to: string },
  expected: readonly AudioRequest[],
): Promise<void> {
  const read = (dimension: 'countries' | 'referrers') =>
    readBreakdown(test.ctx, { podcastId: show.podcastId, episodeId, dimension, range });
  const byCountry = await read('countries');
  expect(byCountry.totalDownloads).toBe(expected.length);
  const counted = Object.fromEntries(
    byCountry.entries.map((entry) => [entry.key, entry.downloads]),
  );
  for (const country of countries) {
    const own = expected.filter((download) => download.country === country);
    expect(counted[country ?? 'unknown'] ?? 0).toBe(own.length);
  }
  const withReferrer = expected.filter(({ referrer }) => referrer !== null);
  expect((await read('referrers')).totalDownloads).toBe(withReferrer.length);
}

it('an episode’s breakdown is found only under its podcast, whoever asks', async () => {
  const other = await makeShow(test.ctx);
  const wanted = {
    episodeId: show.episodeIds[0],
    dimension: 'apps',
    range: { preset: '7d' },
  } as const;
  const read = (podcastId: string) => readBreakdown(test.ctx, { ...wanted, podcastId });
  expect((await read(show.podcastId)).isAvailable).toBe(true);
  await expect(read(other.podcastId)).rejects.toMatchObject({ kind: 'not_found' });
});
