import { sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';
import type { PostReport, SitePost } from './site-post.ts';

/** Where and when reports arrive. */
export interface Reporting {
  readonly siteId: string;
  readonly reportedAt: Date;
}

/**
 * Stores a site's reports about episodes in its feed, and returns their records in no order; an
 * episode that is not there has none. Each episode may be named once. A post stays detached while its
 * episode's show is removed. One statement, by the primary keys.
 */
export async function upsertPosts(
  db: Db,
  { siteId, reportedAt }: Reporting,
  reports: readonly PostReport[],
): Promise<SitePost[]> {
  const { rows } = await sql<SitePost>`
    with report as (
      select * from unnest(${reports.map(({ episodeId }) => episodeId)}::uuid[],
        ${reports.map(({ postUrl }) => postUrl)}::text[],
        ${reports.map(({ state }) => state)}::text[],
        ${reports.map(({ wpPostId }) => wpPostId)}::bigint[],
        ${reports.map(({ contentHash }) => contentHash ?? null)}::text[])
        as report (episode_id, post_url, state, wp_post_id, content_hash)
    ), change as (
      select episode_id, podcast_id, change.content_hash, reason
      from report join site_changes change using (episode_id)
      where change.site_id = ${siteId}
    ), post as (
      insert into site_posts as post (site_id, episode_id, podcast_id, post_url, state, wp_post_id,
        content_hash, reported_at, detached_at)
      select ${siteId}::uuid, episode_id, podcast_id, post_url, state, wp_post_id,
        report.content_hash, ${reportedAt}::timestamptz,
        case when reason = 'show_removed' then ${reportedAt}::timestamptz end
      from report join change using (episode_id)
      -- Always in the same order, so that two requests of a site do not deadlock.
      order by episode_id
      on conflict (site_id, episode_id) do update set podcast_id = excluded.podcast_id,
        post_url = excluded.post_url, state = excluded.state, wp_post_id = excluded.wp_post_id,
        content_hash = excluded.content_hash, reported_at = excluded.reported_at,
        detached_at = case when excluded.detached_at is not null
          then coalesce(post.detached_at, excluded.detached_at) end
      returning episode_id, post_url, state, wp_post_id, content_hash, reported_at
    )
    select post.episode_id as "episodeId", post.post_url as "postUrl", post.state,
      post.wp_post_id as "wpPostId", post.content_hash as "contentHash",
      post.reported_at as "reportedAt",
      post.content_hash is not distinct from change.content_hash as "isUpToDate"
    from post join change using (episode_id)`.execute(db);
  return rows;
}

/** Whether the key names the podcast of one of these episodes. By primary keys. */
export async function hasEpisodeOfKey(
  db: Db,
  keyId: string,
  episodeIds: readonly string[],
): Promise<boolean> {
  const { rows } = await sql`
    select from episodes e
    join api_key_podcasts named on named.key_id = ${keyId} and named.podcast_id = e.podcast_id
    where e.id = any (${episodeIds}::uuid[]) and named.blocked_at is null limit 1`.execute(db);
  return rows.length > 0;
}
