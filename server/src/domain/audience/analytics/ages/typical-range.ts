import { countDays, type UtcDay } from '../../../../lib/utc-day.ts';
import type { EpisodeCurve, ExclusionReason } from './curve.ts';

/**
 * The method of the typical range (decision 0040): what a show's own past lets one expect of an
 * episode at the same age.
 */

export const longestAge = 90;
/** With fewer episodes there is no range. */
export const fewestEpisodes = 5;
/** From so many episodes on, the range of eight in ten lies between the lowest and the highest. */
const fewestForWide = 9;
/** Only so many are compared: the newest. */
const mostEpisodes = 20;
/** The ages at which a range may end. */
const horizons = [7, 14, 30, 60, longestAge];
/** The age at which growth is measured, where episodes are that old. */
const growthAge = 7;

interface Bounds {
  readonly low: number;
  readonly high: number;
}

/** What to expect until the end of a day of age. */
export interface TypicalDay {
  readonly day: number;
  readonly median: number;
  /** Half of all episodes are expected here. */
  readonly half: Bounds;
  /** Eight of ten are expected here; null: there are too few episodes to tell. */
  readonly most: Bounds | null;
}

/** Where the episode stands at the end of its last complete day. */
export interface Standing {
  readonly day: number;
  readonly downloads: number;
  /** Of the compared episodes: how many had fewer downloads, adjusted for growth. */
  readonly higherThan: number;
  readonly position: 'below' | 'within' | 'above';
}

export interface TypicalRange {
  readonly days: readonly TypicalDay[];
  /** Null: it has no complete day yet. */
  readonly standing: Standing | null;
  readonly method: TypicalMethod;
}

/** The numbers of the method. */
export interface TypicalMethod {
  readonly comparedEpisodes: number;
  readonly neededEpisodes: number;
  /** The days of age that every compared episode has; the range ends there. */
  readonly horizonDays: number;
  /** When they were published; null: there are none. */
  readonly publishedFrom: UtcDay | null;
  readonly publishedTo: UtcDay | null;
  /** Growth of the show in 30 days: 0.05 is five percent more; 0 also if it was not measured. */
  readonly monthlyGrowth: number;
  /** Earlier episodes that are not compared, by the reason. */
  readonly leftOut: Readonly<Record<ExclusionReason | 'too_young', number>>;
}

/**
 * Compares an episode with those before it, newest first, which are of its type. `days` is empty if
 * there are too few of them.
 */
export function compareWithTypical(
  episode: EpisodeCurve,
  before: readonly EpisodeCurve[],
): TypicalRange {
  const sound = before.filter(({ exclusionReason }) => exclusionReason === null);
  const age = episode.totals.length;
  const { horizon, compared } = choose(sound, age);
  const growth = measureGrowth(
    compared.map(({ publishedOn, totals }) => ({
      day: dayNumber(publishedOn),
      downloads: totals[Math.min(growthAge, horizon) - 1] ?? 0,
    })),
    dayNumber(episode.publishedOn),
  );
  const isEnough = compared.length >= fewestEpisodes;
  const expectedAt = (day: number) => adjust(compared, day, growth);
  const days = Array.from({ length: isEnough ? horizon : 0 }, (_, index) =>
    describeDay(index + 1, widen(expectedAt(index + 1), growth)),
  );
  const published = compared.map(({ publishedOn }) => publishedOn).sort();
  const count = (exclusionReason: ExclusionReason) =>
    before.filter((curve) => curve.exclusionReason === exclusionReason).length;
  return {
    days,
    standing: isEnough && age > 0 ? describeStanding(episode, days, expectedAt(age)) : null,
    method: {
      comparedEpisodes: compared.length,
      neededEpisodes: fewestEpisodes,
      horizonDays: horizon,
      publishedFrom: published[0] ?? null,
      publishedTo: published.at(-1) ?? null,
      monthlyGrowth: Math.exp(growth.perDay * 30) - 1,
      leftOut: {
        early_days_missing: count('early_days_missing'),
        early_downloads: count('early_downloads'),
        republished: count('republished'),
        too_young: sound.filter(({ totals }) => totals.length < horizon).length,
      },
    },
  };
}

/**
 * All days are compared with the same episodes, so a range never falls. Where too few reach a horizon,
 * it ends at the episode's age.
 */
function choose(sound: readonly EpisodeCurve[], age: number) {
  const next = horizons.find((horizon) => horizon >= age) ?? longestAge;
  const oldEnough = (horizon: number) => ({
    horizon,
    compared: sound.filter(({ totals }) => totals.length >= horizon).slice(0, mostEpisodes),
  });
  const chosen = oldEnough(next);
  return chosen.compared.length < fewestEpisodes && age > 0 ? oldEnough(age) : chosen;
}

const dayNumber = (day: UtcDay) => countDays('1970-01-01', day);

/** What each compared episode lets one expect at a day of age, in order. */
function adjust(compared: readonly EpisodeCurve[], day: number, growth: Growth): number[] {
  return compared
    .map(({ publishedOn, totals }) => {
      return (totals[day - 1] ?? 0) * growth.factorOf(dayNumber(publishedOn));
    })
    .sort((a, b) => a - b);
}

/** The growth is uncertain, too. */
function widen(sorted: readonly number[], { widening }: Growth): readonly number[] {
  const middle = median(sorted);
  if (middle === 0 || widening === 1) return sorted;
  return sorted.map((value) => middle * (value / middle) ** widening);
}

function describeDay(day: number, sorted: readonly number[]): TypicalDay {
  const bounds = (share: number): Bounds => ({
    low: quantile(sorted, (1 - share) / 2),
    high: quantile(sorted, (1 + share) / 2),
  });
  return {
    day,
    median: quantile(sorted, 0.5),
    half: bounds(0.5),
    most: sorted.length < fewestForWide ? null : bounds(0.8),
  };
}

function describeStanding(
  { totals }: EpisodeCurve,
  days: readonly TypicalDay[],
  expected: readonly number[],
): Standing {
  const day = totals.length;
  const downloads = totals[day - 1] ?? 0;
  const typical = days[day - 1];
  const { low, high } = typical?.most ?? typical?.half ?? { low: 0, high: 0 };
  const outside = downloads > high ? 'above' : 'within';
  return {
    day,
    downloads,
    higherThan: expected.filter((value) => value < downloads).length,
    position: downloads < low ? 'below' : outside,
  };
}

/**
 * The quantile `share` (0 to 1) of sorted values, as a forecast. A new episode is equally likely to
 * be at each place in the order of n + 1 similar episodes. So the quantile is at place `share * (n
 * + 1)` (Hyndman and Fan's type 6), between two values in proportion.
 */
export function quantile(sorted: readonly number[], share: number): number {
  const place = Math.min(Math.max(share * (sorted.length + 1), 1), sorted.length);
  const below = sorted[Math.floor(place) - 1] ?? 0;
  const above = sorted[Math.ceil(place) - 1] ?? below;
  return below + (above - below) * (place - Math.floor(place));
}

function median(values: readonly number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}

/** An episode's downloads at one age, and the day of its publication as a number of days. */
interface Point {
  readonly day: number;
  readonly downloads: number;
}

/** How a show grows, as seen from the day of one episode. */
interface Growth {
  /** The logarithm of a day's factor; 0 if there are too few episodes to measure it. */
  readonly perDay: number;
  /** Converts downloads of an episode that was published on `day` to the day of the one episode. */
  factorOf(day: number): number;
  /** By how much the uncertainty of the growth widens a range, as a factor of logarithms. */
  readonly widening: number;
}

/** With fewer, the growth is so uncertain that it does more harm than good. */
const fewest = 12;
/** No episode is adjusted by more: growth may not continue as before. */
const most = 3;

const none: Growth = { perDay: 0, factorOf: () => 1, widening: 1 };

/**
 * Measures growth as the median slope of all pairs (Theil and Sen), which single hits do not move.
 * `day`: the publication of the episode that is compared.
 */
function measureGrowth(points: readonly Point[], day: number): Growth {
  if (points.length < fewest) return none;
  const slopes = points.flatMap((a, index) =>
    points
      .slice(index + 1)
      .filter((b) => b.day !== a.day)
      .map((b) => (Math.log(b.downloads + 1) - Math.log(a.downloads + 1)) / (b.day - a.day)),
  );
  if (slopes.length === 0) return none;
  const perDay = median(slopes);
  const factorOf = (from: number) =>
    Math.min(most, Math.max(1 / most, Math.exp(perDay * (day - from))));
  return { perDay, factorOf, widening: measureWidening(points, day) };
}

/**
 * The ratio of two deviations, of forecasts from the same points: by a line, and by a mean. A line
 * is less certain, because its slope is uncertain too, and more so far from the middle of the
 * points.
 */
function measureWidening(points: readonly Point[], day: number): number {
  const count = points.length;
  const middle = points.reduce((sum, point) => sum + point.day, 0) / count;
  const spread = points.reduce((sum, point) => sum + (point.day - middle) ** 2, 0);
  const byMean = 1 + 1 / count;
  const byLine = byMean + (day - middle) ** 2 / spread;
  return Math.sqrt((byLine / byMean) * ((count - 1) / (count - 2)));
}
