import type { Context } from '../../foundation/context.ts';
import { requireFound } from '../../foundation/errors.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { isCounted } from './facts.ts';
import { selectEpisodeSeries, selectPodcastSeries } from './series.sql.ts';
import { type ComparedSeries, requestSeries, type SeriesQuery } from './series.ts';

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
  query: SeriesQuery,
): Promise<EpisodeDownloads> {
  const { plan, podcastId } = await authorize(ctx, 'analytics.read', { episodeId });
  const now = ctx.clock.now();
  const series = requestSeries(query, now, plan?.analyticsHistoryDays);
  const found = await selectEpisodeSeries(ctx.db, episodeId, series.days, now);
  const row = requireFound(found, 'episode');
  // A listener has at most one download of an episode on a day, so the two are the same number.
  const counts = row.days.map(([day, downloads]) => ({ day, downloads, listeners: downloads }));
  const counted = isCounted(row);
  return {
    ...series.make(row, counts),
    podcastId,
    allTimeDownloads: counted ? row.allTimeDownloads : 0,
    first7DaysDownloads: counted ? row.first7DaysDownloads : 0,
  };
}

/** Reads a podcast's downloads over time, within the history of its plan. One statement. */
export async function readPodcastDownloads(
  ctx: Context,
  podcastId: string,
  query: SeriesQuery,
): Promise<ComparedSeries> {
  const { plan } = await authorize(ctx, 'analytics.read', { podcastId });
  const series = requestSeries(query, ctx.clock.now(), plan?.analyticsHistoryDays);
  const row = requireFound(await selectPodcastSeries(ctx.db, podcastId, series.days), 'podcast');
  return series.make(
    row,
    row.days.map(([day, downloads, listeners]) => ({ day, downloads, listeners })),
  );
}
