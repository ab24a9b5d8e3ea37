import { type Page, toPage } from '../../../lib/list-page.ts';
import { addDays, utcDayOf } from '../../../lib/utc-day.ts';
import type { Context } from '../../foundation/context.ts';
import { allows, authorize, roleOf } from '../../foundation/permissions/index.ts';
import { confirmationsFor, statusesAfter } from './episode.ts';
import type { EpisodeListPosition, EpisodeListQuery, MemberEpisode } from './member-episode.ts';
import { selectEpisodeList } from './member-episodes.sql.ts';
import {
  type EpisodeCounts,
  type ShowEpisode,
  type ShowEpisodePosition,
  type ShowEpisodeQuery,
  selectEpisodeCounts,
  selectShowEpisodes,
} from './show-episodes.sql.ts';

/**
 * Lists the episodes of a podcast that its member sees, newest first: by publication, else
 * schedule, else creation.
 */
export async function listEpisodes(
  ctx: Context,
  query: EpisodeListQuery,
): Promise<Page<MemberEpisode, EpisodeListPosition>> {
  const { creditedUserId } = await authorize(ctx, 'episodes.read', query);
  const now = ctx.clock.now();
  const listed = { ...query, creditedUserId, limit: query.limit + 1 };
  const rows = await selectEpisodeList(ctx.db, listed, now);
  const page = toPage(rows, query.limit, ({ listedAt, episode, moves }) => ({
    listedAt,
    id: episode.id,
    moves,
  }));
  return { ...page, items: page.items.map(({ episode }) => episode) };
}

/** More would not make a search narrower. */
const mostWords = 8;

interface ShowEpisodePage extends Page<ShowEpisode, ShowEpisodePosition> {
  /** Of all episodes that the member sees, whatever the filters; undefined after the first page. */
  readonly counts: EpisodeCounts | undefined;
}

/** Lists the episodes of a show that its member sees, to work on. Two statements a page, three the first. */
export async function listShowEpisodes(
  ctx: Context,
  { search = '', ...query }: ShowEpisodeQuery,
): Promise<ShowEpisodePage> {
  const { podcastId, limit } = query;
  const { creditedUserId, membership } = await authorize(ctx, 'episodes.read', { podcastId });
  const now = ctx.clock.now();
  const today = utcDayOf(now);
  const listed = {
    ...query,
    creditedUserId,
    words: search
      .split(/\s+/, mostWords + 1)
      .filter((word) => word !== '')
      .slice(0, mostWords),
    days: allows(roleOf(membership), 'analytics.read')
      ? { from: addDays(today, -7), to: addDays(today, -1) }
      : undefined,
    limit: limit + 1,
  };
  const rows = await selectShowEpisodes(ctx.db, listed, now);
  const page = toPage(rows, limit, ({ position }) => position);
  const mayPublish = allows(roleOf(membership), 'episode.publish');
  return {
    items: page.items.map(({ episode }) => ({
      ...episode,
      mayBecome: mayPublish ? statusesAfter(episode.status) : [],
      toConfirm: confirmationsFor(episode),
    })),
    next: page.next,
    counts: query.after === undefined ? await selectEpisodeCounts(ctx.db, listed, now) : undefined,
  };
}
