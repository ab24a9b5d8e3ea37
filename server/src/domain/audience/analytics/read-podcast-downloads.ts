import type { Context } from '../../foundation/context.ts';
import { requireFound } from '../../foundation/errors.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { selectPodcastSeries } from './series.sql.ts';
import { type ComparedSeries, requestSeries, type SeriesQuery } from './series.ts';

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
