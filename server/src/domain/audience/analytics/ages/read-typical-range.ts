import { type UtcDay, utcDayOf } from '../../../../lib/utc-day.ts';
import type { Context } from '../../../foundation/context.ts';
import type { EpisodeType } from '../../../foundation/enumerations.ts';
import { notFound } from '../../../foundation/errors.ts';
import { authorize } from '../../../foundation/permissions/index.ts';
import {
  completeThrough,
  describeFreshness,
  type Freshness,
  isCounted,
  isFirstWeekComplete,
} from '../facts.ts';
import { firstShownDay } from '../range.ts';
import { type EpisodeCurve, exclusionReasons, type StoredDays, toCurve } from './curve.ts';
import { selectTypical } from './curves.sql.ts';
import { compareWithTypical, longestAge, type TypicalRange } from './typical-range.ts';

/** Why an episode cannot be compared with those before it, apart from their number. */
export const obstacles = [
  'not_counted',
  'not_published',
  'plan_history',
  ...exclusionReasons,
] as const;
type Obstacle = (typeof obstacles)[number];

export interface EpisodeTypicalRange {
  readonly podcastId: string;
  readonly episodeType: EpisodeType;
  /** Null: the episode is not published. */
  readonly episode: EpisodeCurve | null;
  /** Null: `obstacle` says why. */
  readonly typical: TypicalRange | null;
  readonly obstacle: Obstacle | null;
  readonly isFirstWeekComplete: boolean | null;
  readonly freshness: Freshness;
}

/** Older episodes say nothing: the show may have been a different one then. */
const longestPastDays = 730;
/** More than are compared, because some are left out. */
const readEpisodes = 60;

/**
 * Reads an episode's downloads by age, and what earlier episodes of its type let one expect, within
 * the history of the plan. One statement.
 */
export async function readTypicalRange(
  ctx: Context,
  episodeId: string,
): Promise<EpisodeTypicalRange> {
  const { plan, podcastId } = await authorize(ctx, 'analytics.read', { episodeId });
  const now = ctx.clock.now();
  const today = utcDayOf(now);
  const floor = firstShownDay(plan?.analyticsHistoryDays, today);
  const row = await selectTypical(ctx.db, {
    ...{ episodeId, now, longest: longestAge },
    ...{ from: floor, pastDays: longestPastDays, limit: readEpisodes },
  });
  if (row === undefined) throw notFound('episode');
  const complete = completeThrough(row.completeUntil, today);
  const curveOf = (stored: StoredDays) => toCurve(stored, complete, longestAge);
  const episode = row.episode && curveOf(row.episode);
  const obstacle = isCounted(row) ? findObstacle(episode, floor) : 'not_counted';
  const canCompare = episode !== null && obstacle === null;
  const isYoung = episode !== null && episode.soFar !== null;
  const freshness = describeFreshness(row, isYoung, now);
  const publishedOn = episode?.publishedOn ?? null;
  return {
    ...{ podcastId, episodeType: row.episodeType, obstacle },
    episode: obstacle === 'plan_history' || obstacle === 'not_counted' ? null : episode,
    typical: canCompare ? compareWithTypical(episode, row.before.map(curveOf)) : null,
    isFirstWeekComplete: isFirstWeekComplete(publishedOn, freshness.completeThrough),
    freshness,
  };
}

function findObstacle(episode: EpisodeCurve | null, floor: UtcDay): Obstacle | null {
  if (episode === null) return 'not_published';
  return episode.publishedOn < floor ? 'plan_history' : episode.exclusionReason;
}
