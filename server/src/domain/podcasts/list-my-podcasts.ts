import { type Page, toPage } from '../../lib/page.ts';
import type { Context } from '../context.ts';
import { requireUser } from '../principal.ts';
import type { MyPodcast, MyPodcastsQuery, PodcastPosition } from './listed-podcast.ts';
import { selectPodcastsOfUser } from './members.sql.ts';

/** Lists the podcasts the signed-in user works on, oldest first. */
export async function listMyPodcasts(
  ctx: Context,
  query: MyPodcastsQuery,
): Promise<Page<MyPodcast, PodcastPosition>> {
  const oneMore = { ...query, limit: query.limit + 1 };
  const rows = await selectPodcastsOfUser(ctx.db, requireUser(ctx), oneMore);
  return toPage(rows, query.limit, ({ createdAt, id }) => ({ createdAt, id }));
}
