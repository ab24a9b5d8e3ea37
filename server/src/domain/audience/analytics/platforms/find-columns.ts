import { readFileSync } from 'node:fs';
import type { MaybeYield } from '../../../../lib/time-slices.ts';
import { countDays, type UtcDay } from '../../../../lib/utc-day.ts';
import { type DomainError, invalid } from '../../../foundation/errors.ts';
import { sayRefusal } from '../../../foundation/refusals.ts';
import type { PlatformMetric, PlatformSource } from './platform-figures.ts';
import type { ReadDay } from './read-day.ts';
import type { TimeUnit } from './read-figure.ts';

/** What a column of an export means; `columns.json` lists the headers of each. */
export type Meaning =
  | 'show'
  | 'guid'
  | 'platformId'
  | 'title'
  | 'releasedOn'
  | 'date'
  | 'plays'
  | 'timeListenedSeconds'
  | 'engagedListeners'
  | 'netFollowers'
  | 'uniqueListeners'
  | 'averageConsumption'
  | 'streams'
  | 'starts'
  | 'audienceSize'
  | 'consumption'
  | 'listeners'
  | 'followers';

/** Which columns only one platform writes. A file with one of the other's is refused. */
const onlyOf: Readonly<Record<PlatformSource, readonly Meaning[]>> = {
  apple: [
    'guid',
    'uniqueListeners',
    'engagedListeners',
    'averageConsumption',
    'timeListenedSeconds',
    'netFollowers',
  ],
  spotify: ['streams', 'starts', 'audienceSize', 'consumption'],
};

/** A file has one of these: they say what a row is about. */
const namesOfRows: readonly Meaning[] = ['title', 'guid', 'date', 'show'];

/** The columns of each figure. If a file has several of them, the first counts. */
const columnsOf: Readonly<
  Record<PlatformSource, Readonly<Partial<Record<PlatformMetric, readonly Meaning[]>>>>
> = {
  apple: {
    plays: ['plays'],
    timeListenedSeconds: ['timeListenedSeconds'],
    followers: ['followers', 'netFollowers'],
    engagedListeners: ['engagedListeners'],
  },
  spotify: {
    plays: ['plays'],
    streams: ['streams'],
    listeners: ['listeners', 'audienceSize'],
    followers: ['followers'],
  },
};

export interface MetricColumn {
  readonly metric: PlatformMetric;
  readonly index: number;
  /** As the file writes it. */
  readonly header: string;
  readonly unit: TimeUnit;
}

export interface Columns {
  /** The places of the columns that the file has. */
  readonly places: ReadonlyMap<Meaning, Pick<MetricColumn, 'index' | 'header'>>;
  readonly metrics: readonly MetricColumn[];
}

const units: Readonly<Record<TimeUnit, readonly string[]>> = {
  hours: ['hours', 'hour', 'hrs', 'h', 'stunden', 'std', 'heures', 'horas', 'ore', 'uren'],
  minutes: ['minutes', 'mins', 'min', 'minuten', 'minutos', 'minuti'],
  seconds: ['seconds', 'secs', 'sec', 's', 'sekunden', 'secondes', 'segundos', 'secondi'],
};
const unitOf = new Map(
  Object.entries(units).flatMap(([unit, words]) =>
    words.map((word) => [word, unit as TimeUnit] as const),
  ),
);

/** Letters and digits in lower case: `audience_size` is `Audience size`. */
function simplify(header: string): string {
  return header
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

const file = new URL('columns.json', import.meta.url);
const listed = JSON.parse(readFileSync(file, 'utf8')) as Record<Meaning, readonly string[]>;
const known = new Map(
  Object.entries(listed).flatMap(([meaning, headers]) =>
    headers.map(
      (header, rank) => [simplify(header), { meaning: meaning as Meaning, rank }] as const,
    ),
  ),
);

interface Column {
  /** Of two columns with one meaning, the header that is listed first counts. */
  readonly rank: number;
  readonly index: number;
  readonly header: string;
  readonly unit: TimeUnit;
}

/** An export has some twenty columns. Those after these are not read. */
const mostColumns = 200;

const nothing = { meaning: undefined, rank: Infinity };

/**
 * Finds the columns of an export by its header row. Throws `invalid`, with what was expected and
 * what was found, for a file that is not one of this platform.
 */
export function findColumns(header: readonly string[], source: PlatformSource): Columns {
  const found = new Map<Meaning, Column>();
  for (const [index, text] of header.slice(0, mostColumns).entries()) {
    const words = simplify(text).split(' ');
    const unit = words.map((word) => unitOf.get(word)).find((unit) => unit !== undefined);
    const { meaning, rank } =
      known.get(words.join(' ')) ??
      known.get(words.filter((word) => !unitOf.has(word)).join(' ')) ??
      nothing;
    if (meaning === undefined || rank >= (found.get(meaning)?.rank ?? Infinity)) continue;
    found.set(meaning, { rank, index, header: text, unit: unit ?? 'seconds' });
  }
  const metrics = Object.entries(columnsOf[source]).flatMap(([metric, meanings]) => {
    const column = meanings.map((meaning) => found.get(meaning)).find((one) => one !== undefined);
    return column === undefined ? [] : [{ ...column, metric: metric as PlatformMetric }];
  });
  const other = source === 'apple' ? 'spotify' : 'apple';
  if (onlyOf[other].some((meaning) => found.has(meaning))) throw refuse(header, source, other);
  if (metrics.length === 0 || !namesOfRows.some((meaning) => found.has(meaning)))
    throw refuse(header, source);
  return { places: found, metrics };
}

const names: Readonly<Record<PlatformSource, string>> = {
  apple: 'Apple Podcasts Connect',
  spotify: 'Spotify for Creators',
};

/** What a refusal names: of each, a file needs one. */
const expected = {
  apple: {
    names: '"Episode Title", "Date"',
    figures: '"Plays", "Total Time Listened", "Followers", "Unique Engaged Listeners"',
  },
  spotify: {
    names: '"name", "Date"',
    figures: '"plays", "streams", "audience_size", "Listeners", "Followers"',
  },
} as const satisfies Readonly<Record<PlatformSource, object>>;

function refuse(
  header: readonly string[],
  source: PlatformSource,
  other?: PlatformSource,
): DomainError {
  if (header.length === 0) return invalid('file', sayRefusal('file_empty'));
  const values = { platform: names[source], found: quote(header) };
  const said =
    other === undefined
      ? sayRefusal('platform_file', { ...values, ...expected[source] })
      : sayRefusal('other_platform_file', { ...values, other: names[other] });
  return invalid('file', said);
}

const mostQuoted = 12;
const longestQuoted = 40;

/** A file that is not a table may contain anything. */
function quote(header: readonly string[]): string {
  const cells = header.slice(0, mostQuoted).map((cell) => {
    const clean = cell
      .slice(0, longestQuoted)
      .replace(/[\p{C}\p{Z}"]+/gu, ' ')
      .toWellFormed();
    return `"${clean.trim()}"`;
  });
  return `${cells.join(', ')}${header.length > mostQuoted ? ', …' : ''}`;
}

/** Of day and month. */
type Order = keyof ReadDay;

/**
 * Finds the orders in which the dates of a series may be read: two if it does not tell, none if it
 * contradicts itself. An order is out if one of the dates would be no day. A series of consecutive
 * days in one order is read in that one, unless the other makes it a series of months.
 */
export async function findOrders(
  days: Iterable<ReadDay>,
  maybeYield: MaybeYield,
): Promise<readonly Order[]> {
  const series = { monthFirst: new Series(), dayFirst: new Series() };
  let isClear = true;
  for (const { monthFirst, dayFirst } of days) {
    series.monthFirst.add(monthFirst);
    series.dayFirst.add(dayFirst);
    if (monthFirst !== dayFirst) isClear = false;
    await maybeYield();
  }
  if (isClear) return ['monthFirst'];
  const possible = orders.filter((order) => series[order].isPossible);
  const isOfMonths = possible.some((order) => series[order].isOfMonths);
  const daily = possible.filter((order) => series[order].isDaily);
  return daily.length === 1 && !isOfMonths ? daily : possible;
}

const orders = ['monthFirst', 'dayFirst'] as const satisfies readonly Order[];

class Series {
  readonly #days = new Set<UtcDay>();
  #from: UtcDay = '9999-12-31';
  #to: UtcDay = '0001-01-01';
  /** Each date is a day. */
  isPossible = true;
  /** All days are the first of a month, by which months are written. */
  isOfMonths = true;

  add(day: UtcDay | undefined): void {
    if (day === undefined) {
      this.isPossible = false;
      return;
    }
    this.#days.add(day);
    if (day < this.#from) this.#from = day;
    if (day > this.#to) this.#to = day;
    if (!day.endsWith('-01')) this.isOfMonths = false;
  }

  /** Consecutive days, without a gap. */
  get isDaily(): boolean {
    const count = this.#days.size;
    return count > 1 && countDays(this.#from, this.#to) === count;
  }
}
