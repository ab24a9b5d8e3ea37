import { utcDayOf } from '../../../lib/utc-day.ts';
import type { Context } from '../../foundation/context.ts';
import { DomainError, notFound } from '../../foundation/errors.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import type { Dimension } from '../downloads/index.ts';
import { selectEpisodeBreakdown, selectPodcastBreakdown } from './breakdown.sql.ts';
import { type BreakdownEntry, rankValues } from './breakdown.ts';
import { type AnalyticsFacts, describeFacts, isCounted } from './facts.ts';
import { limitRange, type RangeRequest } from './range.ts';
import { splitByMonths } from './whole-months.ts';

export interface BreakdownQuery {
  readonly podcastId: string;
  /** Limits the breakdown to one episode of the podcast. */
  readonly episodeId: string | undefined;
  readonly dimension: Dimension;
  readonly range: RangeRequest;
}

export interface Breakdown extends AnalyticsFacts {
  /** False: downloads of this podcast are not counted here. */
  readonly isAvailable: boolean;
  /** Of referrers: of downloads that had one. */
  readonly totalDownloads: number;
  readonly entries: readonly BreakdownEntry[];
}

/** How many entries have a name; the rest is `other`. */
const shownEntries = 5;
const shownEntriesAdvanced = 15;
/** Their keys are not their values, so two values may be one entry. There are few of them. */
const keyedByLabel: readonly Dimension[] = ['apps', 'devices'];

/** Ranks the downloads of a podcast or an episode by one dimension. One statement. */
export async function readBreakdown(ctx: Context, query: BreakdownQuery): Promise<Breakdown> {
  const { podcastId, episodeId, dimension } = query;
  const resource = episodeId === undefined ? { podcastId } : { podcastId, episodeId };
  const { plan } = await authorize(ctx, 'analytics.read', resource);
  const now = ctx.clock.now();
  const limited = limitRange(query.range, now, plan?.analyticsHistoryDays);
  const isAdvanced = plan?.advancedAnalytics ?? true;
  if (dimension === 'devices' && !isAdvanced) {
    const message = "This podcast's plan does not include advanced analytics.";
    throw new DomainError('plan_upgrade_required', message);
  }
  const count = isAdvanced ? shownEntriesAdvanced : shownEntries;
  const most = keyedByLabel.includes(dimension) ? undefined : count + 1;
  const wanted = { podcastId, dimension, most };
  const row =
    episodeId === undefined
      ? await selectPodcastBreakdown(ctx.db, wanted, splitByMonths(limited, utcDayOf(now)))
      : await selectEpisodeBreakdown(ctx.db, { ...wanted, episodeId }, limited);
  if (row === undefined) throw notFound(episodeId === undefined ? 'podcast' : 'episode');
  const facts = describeFacts(row, limited, now);
  if (!isCounted(row)) return { ...facts, isAvailable: false, totalDownloads: 0, entries: [] };
  const { total } = row;
  const values = row.values.map(([value, downloads]) => ({ value, downloads }));
  const entries = rankValues(dimension, values, { total, count });
  return { ...facts, isAvailable: true, totalDownloads: total, entries };
}
