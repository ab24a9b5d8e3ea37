import { type Page, toPage } from '../../lib/page.ts';
import { requireUser } from '../actor.ts';
import type { Context } from '../context.ts';
import { selectPodcastsOfUser } from './members.sql.ts';
import type { Podcast } from './podcast.ts';
import type { Membership } from './roles.ts';

/** A podcast that someone works on, and what they are there. */
export type MyPodcast = Pick<
  Podcast,
  'id' | 'slug' | 'title' | 'status' | 'hostingType' | 'teamKeys' | 'createdAt'
> & { readonly membership: Membership };

/** Oldest first: the last one of a page. */
export type PodcastPosition = Pick<Podcast, 'id' | 'createdAt'>;

export interface MyPodcastsQuery {
  readonly limit: number;
  readonly after?: PodcastPosition | undefined;
  /** Only those: by id, or by current slug. */
  readonly refs?: readonly string[] | undefined;
}

/** What the signed-in user works on, oldest first. */
export async function listMyPodcasts(
  ctx: Context,
  query: MyPodcastsQuery,
): Promise<Page<MyPodcast, PodcastPosition>> {
  const oneMore = { ...query, limit: query.limit + 1 };
  const rows = await selectPodcastsOfUser(ctx.db, requireUser(ctx.actor), oneMore);
  return toPage(rows, query.limit, ({ createdAt, id }) => ({ createdAt, id }));
}
