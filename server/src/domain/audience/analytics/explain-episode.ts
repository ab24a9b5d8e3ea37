import { addDays, type DayRange, type UtcDay, utcDayOf } from '../../../lib/utc-day.ts';
import type { Context } from '../../foundation/context.ts';
import { requireFound } from '../../foundation/errors.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { type EvidenceCounts, type RejectionReason, revisableDays } from '../downloads/index.ts';
import { selectEvidence } from './facts.sql.ts';
import { type AnalyticsFacts, describeFacts } from './facts.ts';
import { limitRange, type RangeRequest } from './range.ts';

/**
 * From requests to downloads: the accepted requests, without repetitions by the same listener on
 * the same day and without listeners who received too little. It names no listener.
 */
export interface Funnel {
  readonly requests: number;
  /** Requests that can never count, the most frequent reason first. */
  readonly rejected: readonly Rejected[];
  /** Further requests of a listener on a day. */
  readonly repeated: number;
  /** Listeners who received too little. */
  readonly partial: number;
  readonly downloads: number;
}

interface Rejected {
  readonly reason: RejectionReason;
  readonly requests: number;
}

type DayFunnel = Funnel & { readonly day: UtcDay };

export interface EpisodeExplanation extends AnalyticsFacts {
  /** The days of the range whose requests are kept; null: none. */
  readonly evidence: DayRange | null;
  readonly days: readonly DayFunnel[];
  readonly total: Funnel;
}

/**
 * Explains the downloads of an episode to members: what became of its requests. Requests are kept
 * for today and `revisableDays` before it, so only these days can be explained. One statement.
 */
export async function explainEpisode(
  ctx: Context,
  episodeId: string,
  range: RangeRequest,
): Promise<EpisodeExplanation> {
  const { plan } = await authorize(ctx, 'analytics.read', { episodeId });
  const now = ctx.clock.now();
  const limited = limitRange(range, now, plan?.analyticsHistoryDays);
  const today = utcDayOf(now);
  const first = addDays(today, -revisableDays);
  const from = limited.from > first ? limited.from : first;
  const { to } = limited;
  const row = requireFound(await selectEvidence(ctx.db, episodeId, { from, to }), 'episode');
  return {
    ...describeFacts(row, limited, now),
    evidence: from > to ? null : { from, to },
    days: listDays(from, to).map((day) => ({ day, ...toFunnel(row, day) })),
    total: toFunnel(row),
  };
}

function listDays(from: UtcDay, to: UtcDay): UtcDay[] {
  const days: UtcDay[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

/** Of one day, or of all. */
function toFunnel({ requests, listeners }: EvidenceCounts, only?: UtcDay): Funnel {
  const isWanted = (day: UtcDay) => only === undefined || day === only;
  const byReason = new Map<RejectionReason | null, number>();
  for (const [day, reason, count] of requests)
    if (isWanted(day)) byReason.set(reason, (byReason.get(reason) ?? 0) + count);
  let [heard, downloads] = [0, 0];
  for (const [day, ofDay, counted] of listeners) {
    if (!isWanted(day)) continue;
    heard += ofDay;
    downloads += counted;
  }
  const accepted = byReason.get(null) ?? 0;
  return {
    requests: [...byReason.values()].reduce((sum, count) => sum + count, 0),
    rejected: rank(byReason),
    // Each listener has at least one accepted request.
    repeated: accepted - heard,
    partial: heard - downloads,
    downloads,
  };
}

function rank(byReason: ReadonlyMap<RejectionReason | null, number>): Rejected[] {
  return [...byReason]
    .flatMap(([reason, requests]) => (reason === null ? [] : [{ reason, requests }]))
    .sort((a, b) => b.requests - a.requests || (a.reason < b.reason ? -1 : 1));
}
