import { createYielder } from '../../../../lib/time-slices.ts';
import { utcDayOf } from '../../../../lib/utc-day.ts';
import { findDay } from '../../../../lib/years.ts';
import type { PlatformEntry } from './platform-figures.ts';
import { titleKey } from './title-key.ts';

/** What an entry and an episode match by. */
interface Keys {
  readonly guids: readonly string[];
  readonly title: string;
  /** `YYYY-MM-DD`. */
  readonly days: readonly string[];
}

/**
 * An episode here, as files of platforms may know it: by the GUID in our feed and the one in the feed
 * it was imported from, and by the day of its publication, in UTC and where the show is.
 */
export interface MatchableEpisode extends Omit<Keys, 'days'> {
  readonly id: string;
  readonly publicAt: Date;
  /** Of the show. */
  readonly timezone: string;
}

interface Keyed<T> extends Keys {
  readonly item: T;
}

type Rule = (keys: Keys) => readonly string[];

/** In this order; an episode and an entry that match are out of the rules that follow. */
const rules: readonly Rule[] = [
  ({ guids }) => guids,
  ({ title, days }) => days.map((day) => `${day} ${title}`),
  ({ title }) => [title],
  ({ days }) => days,
];

/**
 * Finds the episode of each entry: by GUID, by title and day, by title, by day. Each rule matches
 * only what is unique by it among all entries and all episodes; the rest stays unmatched.
 */
export async function matchEntries(
  entries: readonly PlatformEntry[],
  episodes: readonly MatchableEpisode[],
): Promise<ReadonlyMap<PlatformEntry, string>> {
  const matched = new Map<PlatformEntry, string>();
  const taken = new Set<string>();
  const keyedEntries = await addKeys(entries, ({ guid, releasedOn }) => ({
    guids: guid === undefined ? [] : [guid],
    days: releasedOn === undefined ? [] : [releasedOn],
  }));
  // Not in SQL: PostgreSQL has other names of time zones than JavaScript, which has checked them.
  const keyedEpisodes = await addKeys(episodes, ({ guids, publicAt, timezone }) => ({
    guids,
    days: [utcDayOf(publicAt), findDay(publicAt, timezone)],
  }));
  for (const rule of rules) {
    const byEntry = await findUnique(keyedEntries, rule);
    const byEpisode = await findUnique(keyedEpisodes, rule);
    for (const [key, entry] of byEntry) {
      const episode = byEpisode.get(key);
      if (!entry || !episode || matched.has(entry) || taken.has(episode.id)) continue;
      matched.set(entry, episode.id);
      taken.add(episode.id);
    }
  }
  return matched;
}

/** Makes the key of each title once: normalization is slow. */
async function addKeys<T extends { readonly title: string }>(
  items: readonly T[],
  keysOf: (item: T) => Omit<Keys, 'title'>,
): Promise<readonly Keyed<T>[]> {
  const keyed: Keyed<T>[] = [];
  const maybeYield = createYielder();
  for (const item of items) {
    keyed.push({ item, title: titleKey(item.title), ...keysOf(item) });
    await maybeYield();
  }
  return keyed;
}

/** By key; null where several have it. */
async function findUnique<T>(items: readonly Keyed<T>[], rule: Rule) {
  const byKey = new Map<string, T | null>();
  const maybeYield = createYielder();
  for (const keyed of items) {
    for (const key of new Set(rule(keyed))) byKey.set(key, byKey.has(key) ? null : keyed.item);
    await maybeYield();
  }
  return byKey;
}
