import { type Page, toPage } from '../../../lib/list-page.ts';
import { firstDayOfNextMonth, utcDayOf } from '../../../lib/utc-day.ts';
import type { Context } from '../../foundation/context.ts';
import { roleOf } from '../../foundation/permissions/index.ts';
import { requireOperator, requireUser } from '../../foundation/principal.ts';
import { selectPodcastsOfUser } from './members.sql.ts';
import type {
  ListedPodcast,
  MyPodcast,
  MyPodcastsQuery,
  Podcast,
  PodcastListQuery,
  PodcastPosition,
} from './podcast.ts';
import { isOwner, rightsOf } from './podcast-rights.ts';
import { selectPodcastList, selectPreviousSlugs } from './podcasts.sql.ts';

/** Lists every podcast of the installation, oldest first; for the operator. */
export async function listPodcasts(
  ctx: Context,
  query: PodcastListQuery,
): Promise<Page<ListedPodcast, PodcastPosition>> {
  requireOperator(ctx);
  const rows = await selectPodcastList(ctx.db, { ...query, limit: query.limit + 1 });
  return toPage(rows, query.limit, ({ createdAt, id }) => ({ createdAt, id }));
}

/** Lists the slugs a podcast had before its present one. */
export function listPreviousSlugs(
  ctx: Context,
  podcast: Pick<Podcast, 'id' | 'slug'>,
): Promise<string[]> {
  return selectPreviousSlugs(ctx.db, podcast);
}

/** Lists the podcasts the signed-in user works on, oldest first. */
export async function listMyPodcasts(
  ctx: Context,
  query: MyPodcastsQuery,
): Promise<Page<MyPodcast, PodcastPosition>> {
  const oneMore = { ...query, limit: query.limit + 1 };
  const rows = await selectPodcastsOfUser(ctx.db, requireUser(ctx), oneMore);
  const nextMonth = firstDayOfNextMonth(utcDayOf(ctx.clock.now()));
  const podcasts = rows.map((row) => ({
    ...row,
    isOwn: isOwner(row.membership),
    may: rightsOf(roleOf(row.membership)),
    suspensionEndsOn: row.suspendedFor === 'overage' ? nextMonth : null,
  }));
  return toPage(podcasts, query.limit, ({ createdAt, id }) => ({ createdAt, id }));
}
