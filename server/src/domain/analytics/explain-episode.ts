import { addDays, type DayRange, type UtcDay, utcDayOf } from '../../lib/utc-day.ts';
import type { Context } from '../context.ts';
import { type RejectionReason, revisableDays } from '../downloads/index.ts';
import { requireFound } from '../errors.ts';
import { authorize } from '../permissions/index.ts';
import { type EvidenceRow, selectEvidence } from './explain.sql.ts';
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
  const days = from > to ? [] : listFunnels(from, to, row);
  return {
    ...describeFacts(row, limited, now),
    evidence: from > to ? null : { from, to },
    days,
    total: addUp(days),
  };
}

function listFunnels(from: UtcDay, to: UtcDay, { requests, listeners }: EvidenceRow): DayFunnel[] {
  const days: DayFunnel[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const ofDay = requests.filter(([at]) => at === day);
    const [, heard = 0, counted = 0] = listeners.find(([at]) => at === day) ?? [];
    const accepted = ofDay.find(([, reason]) => reason === null)?.[2] ?? 0;
    days.push({
      day,
      requests: ofDay.reduce((sum, [, , count]) => sum + count, 0),
      rejected: rank(
        ofDay.flatMap(([, reason, count]) =>
          reason === null ? [] : [{ reason, requests: count }],
        ),
      ),
      // Each listener has at least one accepted request.
      repeated: accepted - heard,
      partial: heard - counted,
      downloads: counted,
    });
  }
  return days;
}

function addUp(days: readonly DayFunnel[]): Funnel {
  const sum = (read: (funnel: Funnel) => number) =>
    days.reduce((total, day) => total + read(day), 0);
  const byReason = Map.groupBy(
    days.flatMap(({ rejected }) => rejected),
    ({ reason }) => reason,
  );
  return {
    requests: sum(({ requests }) => requests),
    rejected: rank(
      [...byReason].map(([reason, list]) => ({
        reason,
        requests: list.reduce((total, { requests }) => total + requests, 0),
      })),
    ),
    repeated: sum(({ repeated }) => repeated),
    partial: sum(({ partial }) => partial),
    downloads: sum(({ downloads }) => downloads),
  };
}

function rank(rejected: readonly Rejected[]): Rejected[] {
  return rejected.toSorted((a, b) => b.requests - a.requests || (a.reason < b.reason ? -1 : 1));
}
