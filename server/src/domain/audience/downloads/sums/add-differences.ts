import { chunksOf } from '../../../../lib/chunks-of.ts';
import { createYielder } from '../../../../lib/time-slices.ts';
import type { Db } from '../../../foundation/database.ts';
import {
  addValues,
  countedDimensions,
  type DayDifference,
  type Differences,
  type EpisodeDifference,
  increase,
  noValues,
  type ValueCounts,
} from './differences.ts';
import {
  addToDays,
  addToEpisodes,
  addToValues,
  type Breakdowns,
  type EpisodeBreakdowns,
  type ReferrerDownloads,
  selectEpisodeBreakdowns,
  selectUnnamedReferrers,
  upsertEpisodeBreakdowns,
  type ValueOfDay,
} from './sums.sql.ts';

/** The most rows of a statement. */
const rowsAtOnce = 5_000;
/** Each has a document of some kilobytes; with a thousand hosts, of some ten kilobytes. */
const breakdownsAtOnce = 100;

/**
 * Adds the differences to all sums. Requires their lock. `isDelivery`: they are of requests that this
 * service has handled itself.
 */
export async function addDifferences(
  db: Db,
  { days }: Differences,
  { isDelivery }: { readonly isDelivery: boolean },
): Promise<void> {
  await nameReferrers(db, days);
  for (const some of chunksOf(days, rowsAtOnce)) await addToDays(db, some);
  for (const some of chunksOf(valuesOf(days), rowsAtOnce)) await addToValues(db, some);
  for (const some of chunksOf(episodesOf(days), rowsAtOnce))
    await addToEpisodes(db, some, isDelivery);
  for (const some of chunksOf(episodesOf(days), breakdownsAtOnce)) await addToBreakdowns(db, some);
}

/** Counts the hosts that get no place among those of their podcast and day as `other`. */
async function nameReferrers(db: Db, days: readonly DayDifference[]): Promise<void> {
  const maybeYield = createYielder();
  const given: ReferrerDownloads[] = [];
  for (const { podcastId, day, episodes } of days) {
    const hosts = new Map<string, number>();
    for (const { values } of episodes.values())
      for (const [referrer, downloads] of values.referrers) {
        increase(hosts, referrer, downloads);
        await maybeYield();
      }
    for (const [referrer, downloads] of hosts) given.push({ podcastId, day, referrer, downloads });
  }
  if (given.length === 0) return;
  const unnamed = new Set<string>();
  for (const { podcastId, day, referrer } of await selectUnnamedReferrers(db, given))
    unnamed.add(`${podcastId} ${day} ${referrer}`);
  if (unnamed.size === 0) return;
  for (const { podcastId, day, values } of episodesOf(days))
    for (const [referrer, n] of values.referrers) {
      if (!unnamed.has(`${podcastId} ${day} ${referrer}`)) continue;
      values.referrers.delete(referrer);
      increase(values.referrers, 'other', n);
      await maybeYield();
    }
}

function* episodesOf(days: readonly DayDifference[]): Generator<EpisodeDifference> {
  for (const { episodes } of days) yield* episodes.values();
}

/** Of podcasts. */
function* valuesOf(days: readonly DayDifference[]): Generator<ValueOfDay> {
  for (const { podcastId, day, episodes } of days) {
    const sums = noValues();
    for (const { values } of episodes.values()) addValues(sums, values);
    for (const dimension of countedDimensions)
      for (const [value, downloads] of sums[dimension])
        if (downloads !== 0) yield { podcastId, day, dimension, value, downloads };
  }
}

async function addToBreakdowns(db: Db, episodes: readonly EpisodeDifference[]): Promise<void> {
  const maybeYield = createYielder();
  const kept = new Map(
    (await selectEpisodeBreakdowns(db, episodes)).map(({ episodeId, day, counts }) => [
      `${episodeId} ${day}`,
      counts,
    ]),
  );
  const changed: EpisodeBreakdowns[] = [];
  for (const { podcastId, day, episodeId, values } of episodes) {
    const sums = parseCounts(kept.get(`${episodeId} ${day}`));
    addValues(sums, values);
    changed.push({ podcastId, day, episodeId, counts: formatCounts(sums) });
    await maybeYield();
  }
  await upsertEpisodeBreakdowns(db, changed);
}

function parseCounts(counts: Breakdowns | undefined): ValueCounts {
  const values = noValues();
  for (const dimension of countedDimensions)
    for (const [value, n] of Object.entries(counts?.[dimension] ?? {}))
      values[dimension].set(value, n);
  return values;
}

function formatCounts(values: ValueCounts): Breakdowns {
  const ofDimension = (counts: ReadonlyMap<string, number>) =>
    Object.fromEntries([...counts].filter(([, n]) => n !== 0));
  return Object.fromEntries(
    countedDimensions.map((dimension) => [dimension, ofDimension(values[dimension])]),
  );
}
