import { type Page, toPage } from '../../../lib/list-page.ts';
import { utcDayOf } from '../../../lib/utc-day.ts';
import type { Context } from '../../foundation/context.ts';
import type { EpisodeStatus } from '../../foundation/enumerations.ts';
import { requireFound } from '../../foundation/errors.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { atOnce, type InTurn } from '../../foundation/take-turn.ts';
import { asOf } from '../../publishing/episodes/index.ts';
import {
  type EpisodeFiguresPosition,
  type EpisodeListQuery,
  type EpisodeRow,
  selectEpisodeFigures,
} from './episode-list.sql.ts';
import { type AnalyticsFacts, describeFacts, isCounted, isFirstWeekComplete } from './facts.ts';
import { limitRange, type RangeRequest } from './range.ts';
import { splitByMonths } from './whole-months.ts';

/** Figures of one episode; only `downloads` is limited by the range. */
export interface EpisodeAnalytics {
  readonly id: string;
  readonly title: string;
  readonly slug: string;
  readonly status: EpisodeStatus;
  readonly publishedAt: Date | null;
  readonly downloads: number;
  readonly allTimeDownloads: number;
  readonly first7DaysDownloads: number;
  readonly isFirstWeekComplete: boolean | null;
}

export interface EpisodeAnalyticsQuery extends EpisodeListQuery {
  readonly range: RangeRequest;
}

/**
 * Lists the published episodes of a podcast, and others that have downloads and that the member may
 * see: in the order of `listEpisodes`, those that were never published last. One statement,
 * which for a member who sees only some may look through the credits of all that are not public.
 */
export async function listEpisodeAnalytics(
  ctx: Context,
  query: EpisodeAnalyticsQuery,
  inTurn: InTurn = atOnce,
): Promise<Page<EpisodeAnalytics, EpisodeFiguresPosition> & AnalyticsFacts> {
  const { podcastId } = query;
  const { plan, creditedUserId } = await authorize(ctx, 'analytics.read', { podcastId });
  const now = ctx.clock.now();
  const limited = limitRange(query.range, now, plan?.analyticsHistoryDays);
  const listed = { ...query, creditedUserId, limit: query.limit + 1 };
  const range = splitByMonths(limited, utcDayOf(now));
  const read = () => selectEpisodeFigures(ctx.db, listed, range, now);
  const rows = await (creditedUserId === undefined ? read() : inTurn(read));
  const first = requireFound(rows[0], 'podcast');
  const counted = isCounted(first);
  const episodes = rows.flatMap((row) => (row.id === null ? [] : [row]));
  const page = toPage(episodes, query.limit, ({ wasPublic, listedAt, id, moves }) => ({
    wasPublic,
    listedAt,
    id,
    moves,
  }));
  const facts = describeFacts(first, limited, now);
  const { completeThrough } = facts.freshness;
  const items = page.items.map((row) => {
    const episode = toAnalytics(row, counted, now);
    const { publishedAt } = episode;
    const publishedOn = publishedAt && utcDayOf(publishedAt);
    return { ...episode, isFirstWeekComplete: isFirstWeekComplete(publishedOn, completeThrough) };
  });
  return { items, next: page.next, ...facts };
}

function toAnalytics(
  row: EpisodeRow,
  counted: boolean,
  now: Date,
): Omit<EpisodeAnalytics, 'isFirstWeekComplete'> {
  const { status, publishedAt } = asOf(row, now);
  return {
    id: row.id,
    title: row.title,
    slug: row.slug,
    status,
    publishedAt,
    downloads: counted ? row.downloads : 0,
    allTimeDownloads: counted ? row.allTimeDownloads : 0,
    first7DaysDownloads: counted ? row.first7DaysDownloads : 0,
  };
}
