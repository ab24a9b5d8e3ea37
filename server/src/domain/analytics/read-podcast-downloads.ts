import type { Context } from '../context.ts';
import { requireFound } from '../errors.ts';
import { authorize } from '../permissions/index.ts';
import { type AnalyticsFacts, describeFacts, isCounted } from './facts.ts';
import { type DownloadSeries, makeSeries } from './make-series.ts';
import type { Interval } from './periods.ts';
import { type Comparison, comparePeriods, findDaysBefore, readFrom } from './previous-period.ts';
import { limitRange, type RangeRequest } from './range.ts';
import { selectPodcastSeries } from './series.sql.ts';

export interface SeriesQuery {
  readonly range: RangeRequest;
  readonly interval: Interval;
  /** True: with the period before the range. */
  readonly isCompared?: boolean;
}

/** What a series is of; `comparison` only if it was asked for. */
export interface ComparedSeries extends DownloadSeries, AnalyticsFacts {
  readonly comparison?: Comparison;
}

/** Reads a podcast's downloads over time, within the history of its plan. One statement. */
export async function readPodcastDownloads(
  ctx: Context,
  podcastId: string,
  { range, interval, isCompared }: SeriesQuery,
): Promise<ComparedSeries> {
  const { plan } = await authorize(ctx, 'analytics.read', { podcastId });
  const now = ctx.clock.now();
  const limited = limitRange(range, now, plan?.analyticsHistoryDays);
  const before = isCompared ? findDaysBefore(limited, now) : undefined;
  const days = { from: readFrom(limited, before), to: limited.to };
  const row = requireFound(await selectPodcastSeries(ctx.db, podcastId, days), 'podcast');
  const facts = describeFacts(row, limited, now);
  const rows = isCounted(row) ? row.days : [];
  const counts = rows.map(([day, downloads, listeners]) => ({ day, downloads, listeners }));
  return {
    ...makeSeries(facts.range, interval, counts, now),
    ...(before && { comparison: comparePeriods(before, facts, interval, counts) }),
    ...facts,
  };
}
