import type { Context } from '../context.ts';
import { requireFound } from '../errors.ts';
import { authorize } from '../permissions/index.ts';
import { describeFacts, isCounted } from './facts.ts';
import { makeSeries } from './make-series.ts';
import { comparePeriods, findDaysBefore, readFrom } from './previous-period.ts';
import { limitRange } from './range.ts';
import type { ComparedSeries, SeriesQuery } from './read-podcast-downloads.ts';
import { selectEpisodeSeries } from './series.sql.ts';

/** The figures beside the series are not limited by the range or the plan. */
export interface EpisodeDownloads extends ComparedSeries {
  readonly podcastId: string;
  readonly allTimeDownloads: number;
  readonly first7DaysDownloads: number;
}

/** Reads an episode's downloads over time, within the history of the plan. One statement. */
export async function readEpisodeDownloads(
  ctx: Context,
  episodeId: string,
  { range, interval, isCompared }: SeriesQuery,
): Promise<EpisodeDownloads> {
  const { plan, podcastId } = await authorize(ctx, 'analytics.read', { episodeId });
  const now = ctx.clock.now();
  const limited = limitRange(range, now, plan?.analyticsHistoryDays);
  const before = isCompared ? findDaysBefore(limited, now) : undefined;
  const days = { from: readFrom(limited, before), to: limited.to };
  const row = requireFound(await selectEpisodeSeries(ctx.db, episodeId, days, now), 'episode');
  const facts = describeFacts(row, limited, now);
  const counted = isCounted(row);
  // A listener has at most one download of an episode on a day, so the two are the same number.
  const counts = (counted ? row.days : []).map(([day, downloads]) => ({
    ...{ day, downloads },
    listeners: downloads,
  }));
  return {
    ...makeSeries(facts.range, interval, counts, now),
    ...(before && { comparison: comparePeriods(before, facts, interval, counts) }),
    ...facts,
    podcastId,
    allTimeDownloads: counted ? row.allTimeDownloads : 0,
    first7DaysDownloads: counted ? row.first7DaysDownloads : 0,
  };
}
