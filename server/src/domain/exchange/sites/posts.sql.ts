import { sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';
import { administers } from '../../foundation/permissions/index.ts';

/** The state of an episode's post on a site. */
export const postStates = ['queued', 'scheduled', 'published', 'draft', 'trashed'] as const;
type PostState = (typeof postStates)[number];

export interface PostReport {
  readonly episodeId: string;
  readonly postUrl: string;
  readonly state: PostState;
  readonly wpPostId: number;
  /** The hash of the change that the post shows; undefined: not reported. */
  readonly contentHash: string | undefined;
}

/** The last report of a post. */
export interface SitePost {
  readonly episodeId: string;
  readonly postUrl: string;
  readonly state: PostState;
  readonly wpPostId: number;
  readonly contentHash: string | null;
  /** True if the hash is that of the newest change of the episode in the site's feed. */
  readonly isUpToDate: boolean;
  readonly reportedAt: Date;
}

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

/**
 * Whether the key names the podcast of one of these episodes that is public then: others are in a
 * feed only if the site was told of them before. By primary keys.
 */
export async function hasPublicEpisodeOfKey(
  db: Db,
  keyId: string,
  episodeIds: readonly string[],
  then: Date,
): Promise<boolean> {
  const { rows } = await sql`
    select from episodes e
    join api_key_podcasts named on named.key_id = ${keyId} and named.podcast_id = e.podcast_id
    where e.id = any (${episodeIds}::uuid[]) and e.public_from <= ${then}
      and named.blocked_at is null limit 1`.execute(db);
  return rows.length > 0;
}

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

export interface ReportedVersions {
  readonly plugin: string;
  readonly wordpress: string;
  readonly php: string;
}

interface Report {
  readonly siteId: string;
  /** The reporting key. If it was replaced, it must not change the new connection. */
  readonly keyId: string;
  readonly versions: ReportedVersions;
  readonly now: Date;
}

/**
 * Makes a site active. Returns whether it was not active before; undefined if its key was replaced.
 * By sites_pkey.
 */
export async function updateVerification(
  db: Db,
  { siteId, keyId, versions, siteName, now }: Report & { readonly siteName: string | null },
): Promise<boolean | undefined> {
  const { rows } = await sql<{ activated: boolean }>`
    update sites set activated_at = coalesce(sites.activated_at, ${now}),
      plugin_version = ${versions.plugin}, wp_version = ${versions.wordpress},
      php_version = ${versions.php}, reported_at = ${now},
      site_name = coalesce(${siteName}, sites.site_name)
    from (select activated_at from sites where id = ${siteId} and key_id = ${keyId}
      for no key update) before
    where sites.id = ${siteId}
    returning before.activated_at is null as activated`.execute(db);
  return rows[0]?.activated;
}

/**
 * Adds a report's errors to the earlier ones; false if the key was replaced. By sites_pkey.
 */
export async function updateHealth(
  db: Db,
  report: Report & {
    readonly adminUrl: string | undefined;
    readonly lastSyncAt: Date | null | undefined;
    readonly syncErrorCount: number;
  },
): Promise<boolean> {
  const { siteId, keyId, versions, adminUrl, lastSyncAt, syncErrorCount, now } = report;
  const { numUpdatedRows } = await db
    .updateTable('sites')
    .set((site) => ({
      plugin_version: versions.plugin,
      wp_version: versions.wordpress,
      php_version: versions.php,
      reported_at: now,
      sync_error_count: site('sync_error_count', '+', syncErrorCount),
      ...(adminUrl !== undefined && { admin_url: adminUrl }),
      ...(lastSyncAt !== undefined && { last_sync_at: lastSyncAt }),
    }))
    .where('id', '=', siteId)
    .where('key_id', '=', keyId)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Returns when the site disconnected itself; undefined if the key was replaced. By sites_pkey. */
export async function updateRevocation(
  db: Db,
  { siteId, keyId, now }: Pick<Report, 'siteId' | 'keyId' | 'now'>,
): Promise<Date | undefined> {
  const { rows } = await sql<{ revokedAt: Date }>`
    update sites set revoked_at = coalesce(revoked_at, ${now})
    where id = ${siteId} and key_id = ${keyId}
    returning revoked_at as "revokedAt"`.execute(db);
  return rows[0]?.revokedAt;
}
