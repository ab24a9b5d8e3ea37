import { utcDayOf } from '../../../../lib/utc-day.ts';
import type { Context } from '../../../foundation/context.ts';
import { notFound } from '../../../foundation/errors.ts';
import { authorize } from '../../../foundation/permissions/index.ts';
import { completeThrough, describeFreshness, type Freshness, isCounted } from '../facts.ts';
import { firstShownDay } from '../range.ts';
import { type EpisodeCurve, type ExclusionReason, toCurve } from './curve.ts';
import { selectCurves } from './curves.sql.ts';

export const mostCurves = 10;
export const longestCurve = 365;
const newestCurves = 5;

/** Without totals if its first days are not known here, or the plan does not show them. */
export interface ComparedCurve extends Omit<EpisodeCurve, 'exclusionReason'> {
  readonly exclusionReason: ExclusionReason | 'plan_history' | null;
}

export interface CurvesByAge {
  readonly curves: readonly ComparedCurve[];
  readonly freshness: Freshness;
}

/**
 * Reads downloads by age, to compare episodes: of up to ten published ones, or else of the newest
 * full episodes. Episodes that are not published, or not of the podcast, are left out.
 */
export async function readCurves(
  ctx: Context,
  podcastId: string,
  wanted: { readonly episodeIds: readonly string[] | undefined; readonly days: number },
): Promise<CurvesByAge> {
  const { plan } = await authorize(ctx, 'analytics.read', { podcastId });
  const now = ctx.clock.now();
  const today = utcDayOf(now);
  const { episodeIds, days: longest } = wanted;
  const limit = episodeIds === undefined ? newestCurves : mostCurves;
  const row = await selectCurves(ctx.db, podcastId, { episodeIds, longest, limit, now });
  if (row === undefined) throw notFound('podcast');
  const complete = completeThrough(row.completeUntil, today);
  const floor = firstShownDay(plan?.analyticsHistoryDays, today);
  const curves = isCounted(row)
    ? row.episodes.map((stored) => limitCurve(toCurve(stored, complete, longest), floor))
    : [];
  const isYoung = curves.some(({ soFar }) => soFar !== null);
  return { curves, freshness: describeFreshness(row, isYoung, now) };
}

function limitCurve(curve: EpisodeCurve, floor: string): ComparedCurve {
  const exclusionReason = curve.publishedOn < floor ? 'plan_history' : curve.exclusionReason;
  const isKnown = exclusionReason !== 'plan_history' && exclusionReason !== 'early_days_missing';
  return isKnown
    ? { ...curve, exclusionReason }
    : { ...curve, exclusionReason, totals: [], soFar: null };
}
