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

export interface MyPodcastsQuery {
  readonly limit: number;
  readonly after?: Pick<Podcast, 'id' | 'createdAt'> | undefined;
  /** Only those: by id, or by current slug. */
  readonly refs?: readonly string[] | undefined;
}

/** What the signed-in user works on, oldest first; `limit` of them after the one named. */
export function listMyPodcasts(ctx: Context, query: MyPodcastsQuery): Promise<MyPodcast[]> {
  return selectPodcastsOfUser(ctx.db, requireUser(ctx.actor), query);
}
