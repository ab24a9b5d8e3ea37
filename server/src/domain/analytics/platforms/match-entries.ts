import { takeTurns } from '../../../lib/take-turns.ts';
import type { PlatformEntry } from './platform-figures.ts';

/** An episode here, as files of platforms may know it. */
export interface MatchableEpisode {
  readonly id: string;
  /** The GUID in our feed, and the one in the feed it was imported from. */
  readonly guids: readonly string[];
  readonly title: string;
  /** `YYYY-MM-DD`: the day of its publication, in UTC and where the show is. */
  readonly days: readonly string[];
}

type KeysOf<T> = (item: T) => readonly string[];

interface Rule {
  readonly ofEntry: KeysOf<PlatformEntry>;
  readonly ofEpisode: KeysOf<MatchableEpisode>;
}

/** In this order; an episode and an entry that match are out of the rules that follow. */
const rules: readonly Rule[] = [
  { ofEntry: ({ guid }) => (guid === undefined ? [] : [guid]), ofEpisode: ({ guids }) => guids },
  {
    ofEntry: ({ title, releasedOn }) =>
      releasedOn === undefined ? [] : [`${releasedOn} ${simplifyTitle(title)}`],
    ofEpisode: ({ title, days }) => days.map((day) => `${day} ${simplifyTitle(title)}`),
  },
  {
    ofEntry: ({ title }) => [simplifyTitle(title)],
    ofEpisode: ({ title }) => [simplifyTitle(title)],
  },
  {
    ofEntry: ({ releasedOn }) => (releasedOn === undefined ? [] : [releasedOn]),
    ofEpisode: ({ days }) => days,
  },
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
  for (const { ofEntry, ofEpisode } of rules) {
    const byEntry = await findUnique(entries, ofEntry);
    const byEpisode = await findUnique(episodes, ofEpisode);
    for (const [key, entry] of byEntry) {
      const episode = byEpisode.get(key);
      if (!entry || !episode || matched.has(entry) || taken.has(episode.id)) continue;
      matched.set(entry, episode.id);
      taken.add(episode.id);
    }
  }
  return matched;
}

/** By key; null where several have it. */
async function findUnique<T>(items: readonly T[], keysOf: KeysOf<T>) {
  const byKey = new Map<string, T | null>();
  const giveWay = takeTurns();
  for (const item of items) {
    for (const key of new Set(keysOf(item))) byKey.set(key, byKey.has(key) ? null : item);
    await giveWay();
  }
  return byKey;
}

/** Without case, spaces and punctuation; a title of symbols alone stays as it is. */
function simplifyTitle(title: string): string {
  const plain = title.normalize('NFKC').toLowerCase();
  return plain.replace(/[^\p{L}\p{N}\p{M}]+/gu, '') || plain;
}
