import type { Interval, Range } from '../../api/analytics.ts';

/** The parameters of a statistics screen: its range, and the compared episodes. */
export interface StatisticsSearch {
  readonly preset?: Preset | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly interval?: Interval | undefined;
  /** Ids of episodes to compare, with commas between them. */
  readonly with?: string | undefined;
  /** The number of days of age that are compared. */
  readonly days?: ComparedDays | undefined;
}

export const presets = ['7d', '30d', '90d', '12m', 'all'] as const;
export type Preset = (typeof presets)[number];
export const comparedDays = [7, 30, 90, 365] as const;
export type ComparedDays = (typeof comparedDays)[number];
const intervals = ['day', 'week', 'month'] as const;

const defaultPreset: Preset = '30d';
const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const idList = new RegExp(`^${uuid}(?:,${uuid}){0,8}$`);

/** Drops unknown values, because an address may come from anywhere. */
export function readStatisticsSearch(search: Record<string, unknown>): StatisticsSearch {
  const { from, to, with: compared } = search;
  const isRange = isDay(from) && (to === undefined || (isDay(to) && from <= to));
  const preset = presets.find((known) => known === search['preset']);
  return {
    ...(isRange ? { from, to: to as string | undefined } : { preset }),
    interval: intervals.find((known) => known === search['interval']),
    with: typeof compared === 'string' && idList.test(compared) ? compared : undefined,
    days: comparedDays.find((known) => known === search['days']),
  };
}

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));

/** Why two days are not a range that can be chosen. An empty one has no problem. */
export function problemOfDays(
  { from, to }: { readonly from: string; readonly to: string },
  least: string,
  most: string,
): 'order' | 'bounds' | undefined {
  const days = [from, to].filter((day) => day !== '');
  if (days.some((day) => day < least || day > most)) return 'bounds';
  return days.length === 2 && from > to ? 'order' : undefined;
}

export function rangeOf({ preset = defaultPreset, from, to }: StatisticsSearch): Range {
  if (from === undefined) return { preset };
  return to === undefined ? { from } : { from, to };
}

const dayMs = 86_400_000;
/** A chart of more days shows too little of each. */
const mostDays = 120;

/** The chosen interval, or one that suits the range. */
export function intervalOf(search: StatisticsSearch, today: string): Interval {
  if (search.interval !== undefined) return search.interval;
  const { preset, from, to = today } = rangeOf(search);
  if (preset === 'all') return 'month';
  if (from === undefined) return preset === '12m' ? 'week' : 'day';
  const days = (Date.parse(to) - Date.parse(from)) / dayMs;
  if (days <= mostDays) return 'day';
  return days <= 7 * mostDays ? 'week' : 'month';
}

export const utcToday = (): string => new Date().toISOString().slice(0, 10);
