import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { authorize } from '../permissions/index.ts';
import { type AnalyticsFacts, describeFacts, isCounted } from './facts.ts';
import { type DownloadSeries, makeSeries } from './make-series.ts';
import type { Interval } from './periods.ts';
import { limitRange, type RangeRequest } from './range.ts';
import { selectPodcastSeries } from './series.sql.ts';

export interface SeriesQuery {
  readonly range: RangeRequest;
  readonly interval: Interval;
}

/** Reads a podcast's downloads over time, within the history of its plan. One statement. */
export async function readPodcastDownloads(
  ctx: Context,
  podcastId: string,
  { range, interval }: SeriesQuery,
): Promise<DownloadSeries & AnalyticsFacts> {
  const { plan } = await authorize(ctx, 'analytics.read', { podcastId });
  const now = ctx.clock.now();
  const limited = limitRange(range, now, plan?.analyticsHistoryDays);
  const row = await selectPodcastSeries(ctx.db, podcastId, limited);
  if (row === undefined) throw notFound('podcast');
  const facts = describeFacts(row, limited, now);
  const days = row.days.map(([day, downloads, listeners]) => ({ day, downloads, listeners }));
  return { ...makeSeries(facts.range, interval, isCounted(row) ? days : [], now), ...facts };
}
