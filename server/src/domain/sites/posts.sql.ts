import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { PostReport, SitePost } from './report-post.ts';

export interface StoredReport extends PostReport {
  readonly reportedAt: Date;
}

/**
 * Stores a site's report about an episode in its feed; undefined if the episode is not there. A
 * post stays detached while its episode's show is removed. By the primary keys.
 */
export async function upsertPost(db: Db, report: StoredReport): Promise<SitePost | undefined> {
  const { siteId, episodeId, postUrl, state, wpPostId, contentHash = null, reportedAt } = report;
  const { rows } = await sql<SitePost>`
    with change as (
      select episode_id, podcast_id, content_hash, reason from site_changes
      where site_id = ${siteId} and episode_id = ${episodeId}
    ), post as (
      insert into site_posts as post (site_id, episode_id, podcast_id, post_url, state, wp_post_id,
        content_hash, reported_at, detached_at)
      select ${siteId}::uuid, episode_id, podcast_id, ${postUrl}::text, ${state}::text,
        ${wpPostId}::bigint, ${contentHash}::text, ${reportedAt}::timestamptz,
        case when reason = 'show_removed' then ${reportedAt}::timestamptz end
      from change
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
  return rows[0];
}

/** Whether the key names the episode's podcast. By primary keys. */
export async function isEpisodeOfKey(db: Db, keyId: string, episodeId: string): Promise<boolean> {
  const { rows } = await sql`
    select from episodes e
    join api_key_podcasts named on named.key_id = ${keyId} and named.podcast_id = e.podcast_id
    where e.id = ${episodeId} and named.blocked_at is null`.execute(db);
  return rows.length > 0;
}
