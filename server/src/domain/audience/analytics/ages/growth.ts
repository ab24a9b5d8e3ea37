import { median } from './quantile.ts';

/** An episode's downloads at one age, and the day of its publication as a number of days. */
export interface Point {
  readonly day: number;
  readonly downloads: number;
}

/** How a show grows, as seen from the day of one episode. */
export interface Growth {
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
export function measureGrowth(points: readonly Point[], day: number): Growth {
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
  return { perDay, factorOf, widening: widen(points, day) };
}

/**
 * The ratio of two deviations, of forecasts from the same points: by a line, and by a mean. A line
 * is less certain, because its slope is uncertain too, and more so far from the middle of the
 * points.
 */
function widen(points: readonly Point[], day: number): number {
  const count = points.length;
  const middle = points.reduce((sum, point) => sum + point.day, 0) / count;
  const spread = points.reduce((sum, point) => sum + (point.day - middle) ** 2, 0);
  const byMean = 1 + 1 / count;
  const byLine = byMean + (day - middle) ** 2 / spread;
  return Math.sqrt((byLine / byMean) * ((count - 1) / (count - 2)));
}
