import { type Page, toPage } from '../../../lib/page.ts';
import type { Context } from '../../foundation/context.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import type { EpisodeListPosition, EpisodeListQuery, MemberEpisode } from './member-episode.ts';
import { selectEpisodeList } from './member-episodes.sql.ts';

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
