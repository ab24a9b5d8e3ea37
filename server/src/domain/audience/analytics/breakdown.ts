import type { Dimension } from '../downloads/index.ts';

/** Downloads of one value of a dimension, as the sums hold it. */
export interface ValueCount {
  readonly value: string;
  readonly downloads: number;
}

export interface BreakdownEntry {
  readonly key: string;
  readonly label: string;
  readonly downloads: number;
  /** Of the total, 0 to 1, with four decimals. */
  readonly share: number;
}

/** The value of what cannot be told; it ranks like any other. */
const unknown = { key: 'unknown', label: 'Unknown' };
/** The remainder, which stands last. */
const other = { key: 'other', label: 'Other' };

const sourceLabels: Readonly<Record<string, string>> = {
  feed: 'Feed',
  player: 'Player',
  listen_page: 'Listen page',
  direct: 'Direct',
};
const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

/**
 * Ranks values by downloads, then key. The first `count` are entries of their own; the rest of
 * `total` is `other`. `values` need not contain values of a lower rank.
 */
export function rankValues(
  dimension: Dimension,
  values: readonly ValueCount[],
  { total, count }: { readonly total: number; readonly count: number },
): BreakdownEntry[] {
  const byKey = new Map<string, ValueCount & { readonly key: string; readonly label: string }>();
  for (const { value, downloads } of values) {
    const named = nameOf(dimension, value);
    const before = byKey.get(named.key);
    // Two spellings of one name are one entry.
    const more = { ...named, value, downloads: downloads + (before?.downloads ?? 0) };
    byKey.set(named.key, more);
  }
  byKey.delete(other.key);
  const ranked = [...byKey.values()].sort(byDownloadsThenKey).slice(0, count);
  const rest = total - ranked.reduce((sum, { downloads }) => sum + downloads, 0);
  const shareOf = (downloads: number) => Math.round((downloads / total) * 10_000) / 10_000;
  const entries = ranked.map(({ key, label, downloads }) => ({
    key,
    label,
    downloads,
    share: shareOf(downloads),
  }));
  return rest > 0 ? [...entries, { ...other, downloads: rest, share: shareOf(rest) }] : entries;
}

function byDownloadsThenKey(
  a: { readonly downloads: number; readonly key: string },
  b: { readonly downloads: number; readonly key: string },
): number {
  return b.downloads - a.downloads || (a.key < b.key ? -1 : 1);
}

function nameOf(
  dimension: Dimension,
  value: string,
): { readonly key: string; readonly label: string } {
  if (value === unknown.key) return unknown;
  switch (dimension) {
    case 'countries':
      return { key: value, label: countryNameOf(value) };
    case 'sources':
      return { key: value, label: sourceLabels[value] ?? value };
    case 'referrers':
      return { key: value, label: value };
    default:
      return { key: toKebab(value) || value.toLowerCase(), label: value };
  }
}

function countryNameOf(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (countryNames.of(code) ?? code) : code;
}

/** `Apple Podcasts` becomes `apple-podcasts`; letters of every script stay. */
function toKebab(label: string): string {
  const words = label
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u);
  return words.filter((word) => word !== '').join('-');
}
