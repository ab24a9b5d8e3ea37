import { describe, expect, it } from 'vitest';
import { addDays } from '../../../../lib/utc-day.ts';
import type { EpisodeCurve, ExclusionReason } from './curve.ts';
import { compareWithTypical, fewestEpisodes, quantile } from './typical-range.ts';

const today = '2026-11-22';

/** Published so many days ago, with so many downloads on each of its days. */
function makeCurve(
  daysAgo: number,
  perDay: number,
  exclusionReason: ExclusionReason | null = null,
): EpisodeCurve {
  const complete = Math.min(90, daysAgo);
  const totals = Array.from({ length: complete }, (_, day) => (day + 1) * perDay);
  const publishedOn = addDays(today, -daysAgo);
  return {
    id: `${daysAgo}`,
    title: `${daysAgo}`,
    publishedOn,
    totals,
    soFar: null,
    exclusionReason,
  };
}

/** One a week, newest first, from the week before the episode. */
const weekly = (perDay: readonly number[], ageDays = 3) =>
  perDay.map((downloads, index) => makeCurve(ageDays + 7 * (index + 1), downloads));

describe('what is typical', () => {
  it('the typical range is the middle of the episodes before, at the same age', () => {
    const perDay = [10, 90, 20, 80, 30, 70, 40, 60, 50];
    const { days, standing, method } = compareWithTypical(makeCurve(3, 75), weekly(perDay));
    expect(days.map(({ day }) => day)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(days[2]).toEqual({
      day: 3,
      median: 150,
      half: { low: 75, high: 225 },
      most: { low: 30, high: 270 },
    });
    expect(standing).toEqual({ day: 3, downloads: 225, higherThan: 7, position: 'within' });
    expect(method).toEqual({
      comparedEpisodes: 9,
      neededEpisodes: 5,
      horizonDays: 7,
      publishedFrom: '2026-09-17',
      publishedTo: '2026-11-12',
      monthlyGrowth: 0,
      leftOut: { early_days_missing: 0, early_downloads: 0, republished: 0, too_young: 0 },
    });
  });

  it.each([
    [95, 'above', 9],
    [5, 'below', 0],
    // As many as the lowest.
    [10, 'within', 0],
  ] as const)('the typical range shows that %i a day are %s', (perDay, position, higherThan) => {
    const past = weekly([10, 90, 20, 80, 30, 70, 40, 60, 50]);
    const { standing } = compareWithTypical(makeCurve(3, perDay), past);
    expect(standing).toMatchObject({ position, higherThan });
  });

  it('the typical range has no bounds of eight in ten with fewer than nine episodes', () => {
    const { days, standing } = compareWithTypical(makeCurve(3, 90), weekly([10, 20, 30, 40, 50]));
    expect(days[0]).toEqual({ day: 1, median: 30, half: { low: 15, high: 45 }, most: null });
    expect(standing?.position).toBe('above');
  });

  it('the typical range is unknown with fewer than five episodes', () => {
    const { days, standing, method } = compareWithTypical(makeCurve(3, 10), weekly([1, 2, 3, 4]));
    expect({ days, standing }).toEqual({ days: [], standing: null });
    expect(method).toMatchObject({ comparedEpisodes: 4, neededEpisodes: fewestEpisodes });
  });

  it('the typical range is known before the first day is over', () => {
    const past = weekly([10, 20, 30, 40, 50], 0);
    const { days, standing } = compareWithTypical(makeCurve(0, 10), past);
    expect([days.length, standing]).toEqual([7, null]);
  });

  it.each([
    [7, 7],
    [8, 14],
    [31, 60],
    [89, 90],
    [400, 90],
  ])('the typical range for an episode of %i days reaches to day %i', (age, horizon) => {
    const past = weekly(new Array(20).fill(10), age);
    const { days, method } = compareWithTypical(makeCurve(age, 10), past);
    expect([days.length, method.horizonDays]).toEqual([horizon, horizon]);
  });

  it('the typical range ends at the age of the episode if too few are older', () => {
    const past = weekly([10, 20, 30, 40, 50], 8).map((curve) => ({
      ...curve,
      totals: curve.totals.slice(0, 9),
    }));
    const { days, method } = compareWithTypical(makeCurve(8, 10), past);
    expect([days.length, method.horizonDays, method.leftOut.too_young]).toEqual([8, 8, 0]);
  });

  it('the typical range uses the newest twenty that are old enough', () => {
    const past = weekly([...new Array<number>(21).fill(10), ...new Array<number>(20).fill(500)], 8);
    const { days, method } = compareWithTypical(makeCurve(8, 10), past);
    expect(method).toMatchObject({ comparedEpisodes: 20, publishedTo: '2026-11-07' });
    expect(days[0]?.median).toBe(10);
  });

  it('leaves out excluded episodes, and says how many', () => {
    const past = [
      ...weekly([10, 10, 10, 10, 10]),
      makeCurve(60, 900, 'republished'),
      makeCurve(65, 900, 'early_downloads'),
      makeCurve(70, 0, 'early_days_missing'),
      makeCurve(77, 0, 'early_days_missing'),
    ];
    const { days, method } = compareWithTypical(makeCurve(3, 10), past);
    expect(days[0]?.median).toBe(10);
    expect(method.leftOut).toEqual({
      ...{ early_days_missing: 2, early_downloads: 1, republished: 1, too_young: 0 },
    });
  });

  it('grows with the show', () => {
    // Five percent more with each week.
    const past = weekly(Array.from({ length: 20 }, (_, index) => 1_000 * 0.95 ** (index + 1)));
    const { days, method } = compareWithTypical(makeCurve(3, 1_000), past);
    expect(method.monthlyGrowth).toBeCloseTo(0.95 ** (-30 / 7) - 1, 2);
    expect(days[0]?.median).toBeGreaterThan(980);
    expect(days[0]?.median).toBeLessThan(1_020);
  });

  it('the typical range does not grow with one hit', () => {
    const past = weekly([900, 11, 10, 12, 9, 11, 10, 9, 12, 10]);
    expect(compareWithTypical(makeCurve(3, 10), past).method.monthlyGrowth).toBe(0);
  });
});

describe('a forecast', () => {
  /** Shows whose episodes differ by chance: how often is the next one within the bounds? */
  function cover(episodes: number, growthPerEpisode: number) {
    const random = createRandom(20_261_123);
    const found = { half: 0, most: 0 };
    const shows = 1_500;
    for (let show = 0; show < shows; show += 1) {
      const make = (index: number) =>
        1_000 * Math.exp(0.35 * normal(random) - growthPerEpisode * index);
      const past = weekly(Array.from({ length: episodes }, (_, index) => make(index + 1)));
      const next = make(0);
      const typical = compareWithTypical(makeCurve(3, next), past).days[2];
      const isWithin = (bounds?: { readonly low: number; readonly high: number } | null) =>
        bounds && 3 * next >= bounds.low && 3 * next <= bounds.high ? 1 : 0;
      found.half += isWithin(typical?.half);
      found.most += isWithin(typical?.most);
    }
    return { half: found.half / shows, most: found.most / shows };
  }

  it.each([
    [9, 0],
    [12, 0],
    [12, 0.03],
    [20, 0],
    [20, 0.03],
    [20, -0.03],
  ])(
    'a forecast of %i episodes with growth %f holds about as often as it says',
    (episodes, growth) => {
      const { half, most } = cover(episodes, growth);
      expect(Math.abs(half - 0.5)).toBeLessThan(0.05);
      expect(Math.abs(most - 0.8)).toBeLessThan(0.05);
    },
  );

  it('a forecast of five episodes holds for half', () => {
    expect(Math.abs(cover(5, 0).half - 0.5)).toBeLessThan(0.05);
  });
});

it('a quantile is at its place among n + 1', () => {
  const nine = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  expect([0.1, 0.25, 0.5, 0.9].map((share) => quantile(nine, share))).toEqual([1, 2.5, 5, 9]);
  expect([0.1, 0.9].map((share) => quantile([3, 4], share))).toEqual([3, 4]);
});

type Random = () => number;

/** Lehmer's generator: numbers between 0 and 1, the same for the same seed. */
function createRandom(seed: number): Random {
  let state = seed % 2_147_483_647;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** By Box and Muller. */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
}
