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
 * only what is unique by it among all entries and all episodes; the rest stays unmatched. Of the
 * episodes, only what an entry may match stays in memory: a show may have hundreds of thousands.
 */
export async function matchEntries(
  entries: readonly PlatformEntry[],
  episodes: AsyncIterable<readonly MatchableEpisode[]>,
): Promise<ReadonlyMap<PlatformEntry, string>> {
  const matched = new Map<PlatformEntry, string>();
  const taken = new Set<string>();
  const indexes = await indexEntries(entries);
  const maybeYield = createYielder();
  for await (const page of episodes) {
    for (const episode of page) {
      const keys = keysOfEpisode(episode);
      for (const index of indexes) noteEpisode(index, keys, episode.id);
      await maybeYield();
    }
  }
  for (const { byKey } of indexes) {
    for (const { entry, episodeId } of byKey.values()) {
      if (!entry || !episodeId || matched.has(entry) || taken.has(episodeId)) continue;
      matched.set(entry, episodeId);
      taken.add(episodeId);
    }
  }
  return matched;
}

/** What has a key; null: several have it. */
interface Pair {
  readonly entry: PlatformEntry | null;
  episodeId: string | null | undefined;
}

/** By one rule. */
interface Index {
  readonly rule: Rule;
  readonly byKey: Map<string, Pair>;
}

async function indexEntries(entries: readonly PlatformEntry[]): Promise<readonly Index[]> {
  const indexes = rules.map((rule): Index => ({ rule, byKey: new Map() }));
  const maybeYield = createYielder();
  for (const entry of entries) {
    const keys = keysOfEntry(entry);
    for (const { rule, byKey } of indexes) {
      for (const key of new Set(rule(keys))) {
        byKey.set(key, { entry: byKey.has(key) ? null : entry, episodeId: undefined });
      }
    }
    await maybeYield();
  }
  return indexes;
}

function noteEpisode({ rule, byKey }: Index, keys: Keys, episodeId: string): void {
  for (const key of new Set(rule(keys))) {
    const pair = byKey.get(key);
    if (pair === undefined) continue;
    pair.episodeId = pair.episodeId === undefined ? episodeId : null;
  }
}

const keysOfEntry = ({ guid, title, releasedOn }: PlatformEntry): Keys => ({
  guids: guid === undefined ? [] : [guid],
  title: titleKey(title),
  days: releasedOn === undefined ? [] : [releasedOn],
});

/** Not in SQL: PostgreSQL has other names of time zones than JavaScript, which has checked them. */
const keysOfEpisode = ({ guids, title, publicAt, timezone }: MatchableEpisode): Keys => ({
  guids,
  title: titleKey(title),
  days: [utcDayOf(publicAt), findDay(publicAt, timezone)],
});
