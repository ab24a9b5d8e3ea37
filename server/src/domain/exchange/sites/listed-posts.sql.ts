import { sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';
import { administers } from '../../foundation/permissions/index.ts';
import type { SitePost } from './site-post.ts';

/** A post of a site, as the site reported it last. */
export interface ListedPost {
  readonly episodeId: string;
  readonly podcastId: string;
  /**
   * The title that the site was told, or for users who administer the show, the present one; null:
   * neither can be shown.
   */
  readonly title: string | null;
  readonly postUrl: string;
  readonly wpPostId: number;
  readonly state: SitePost['state'];
  /**
   * Whether the post reflects the newest change; null: the site did not say which one it reflects.
   */
  readonly upToDate: boolean | null;
  /** Why the episode is gone from the site's changes; null: it is not. */
  readonly gone: 'unpublished' | 'deleted' | 'show_removed' | null;
  readonly reportedAt: Date;
  /** The time since when the post no longer belongs to the episode; the site keeps it. */
  readonly detachedAt: Date | null;
}

/** The time of a post's first report, and its episode. */
export interface PostPosition {
  readonly createdAt: Date;
  readonly id: string;
}

/**
 * By site_posts_by_time, then by primary keys. Only users who administer the show now get the
 * present title: the user of a disconnected site may have left the show since.
 */
export async function selectPosts(
  db: Db,
  siteId: string,
  { limit, after }: { readonly limit: number; readonly after: PostPosition | undefined },
): Promise<ListedPost[]> {
  const isLater =
    after === undefined
      ? sql``
      : sql`and (post.reported_at, post.episode_id) < (${after.createdAt}, ${after.id}::uuid)`;
  const { rows } = await sql<ListedPost>`
    select post.episode_id as "episodeId", post.podcast_id as "podcastId",
      coalesce(told.content ->> 'title',
        case when ${administers} then e.title end)
        as title,
      post.post_url as "postUrl", post.wp_post_id as "wpPostId", post.state,
      post.content_hash = change.content_hash as "upToDate",
      change.reason as gone, post.reported_at as "reportedAt", post.detached_at as "detachedAt"
    from site_posts post
    left join site_changes change
      on change.site_id = post.site_id and change.episode_id = post.episode_id
    left join site_contents told on told.hash = change.content_hash
    left join episodes e on e.id = post.episode_id
    left join sites site on site.id = post.site_id
    left join podcast_members m on m.podcast_id = e.podcast_id and m.user_id = site.user_id
    where post.site_id = ${siteId} ${isLater}
    order by post.reported_at desc, post.episode_id desc limit ${limit}`.execute(db);
  return rows;
}
