import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Db, toRow } from '../../foundation/database.ts';
import { administers, planIncludesApi } from '../../foundation/permissions/index.ts';
import type { PodcastPosition } from '../../publishing/podcasts/index.ts';
import type { Site, SiteAddresses, SiteStatus } from './site.ts';

/**
 * The status of `sites site` with its key `api_keys k` and the key's current `api_key_secrets
 * secret`. It is not stored, because everything that ends the key disconnects the site.
 */
export const siteStatus = (now: Date): RawBuilder<SiteStatus> => sql<SiteStatus>`(case
  when k.revoked_at is not null and site.revoked_at is not null then 'revoked'
  when k.revoked_at is not null or secret.expires_at <= ${now} then 'disconnected'
  when site.activated_at is null then 'pending'
  else 'active' end)`;

/** Sites with their keys, for `siteStatus`; by primary keys. */
export const sitesWithKeys = sql`sites site
  join api_keys k on k.id = site.key_id
  join api_key_secrets secret on secret.key_id = k.id and not secret.replaced`;

interface Row extends Omit<Site, 'adminUrl'> {
  readonly adminUrl: string | null;
}

async function selectSitesWhere(
  db: Db,
  now: Date,
  condition: RawBuilder<SqlBool>,
): Promise<Site[]> {
  const { rows } = await sql<Row>`
    select site.id, site.user_id as "userId", site.key_id as "keyId", site.site_url as "siteUrl",
      site.rest_root as "restRoot", site.admin_url as "adminUrl", site.site_name as "siteName",
      site.transcripts, ${siteStatus(now)} as status, site.created_at as "createdAt",
      site.connected_at as "connectedAt", site.activated_at as "activatedAt",
      site.revoked_at as "revokedAt", secret.expires_at as "expiresAt",
      site.plugin_version as "pluginVersion", site.wp_version as "wpVersion",
      site.php_version as "phpVersion", site.reported_at as "reportedAt",
      site.last_sync_at as "lastSyncAt", site.sync_error_count as "syncErrorCount",
      site.head_seq as "headSeq"
    from ${sitesWithKeys} where ${condition}`.execute(db);
  // The connection is older than this field.
  return rows.map((row) => ({ ...row, adminUrl: row.adminUrl ?? `${row.siteUrl}wp-admin/` }));
}

/** By sites_of_user. */
export async function selectSiteAt(
  db: Db,
  { userId, siteUrl }: Pick<Site, 'userId' | 'siteUrl'>,
  now: Date,
): Promise<Site | undefined> {
  const isIt = sql<SqlBool>`site.user_id = ${userId} and site.site_url = ${siteUrl}`;
  const [site] = await selectSitesWhere(db, now, isIt);
  return site;
}

/** By sites_pkey. */
export async function selectSite(db: Db, siteId: string, now: Date): Promise<Site | undefined> {
  const [site] = await selectSitesWhere(db, now, sql<SqlBool>`site.id = ${siteId}`);
  return site;
}

export interface SitePosition {
  readonly createdAt: Date;
  readonly id: string;
}

/** Newest first: of one user by sites_of_user, else all. */
export async function selectSites(
  db: Db,
  page: {
    readonly userId: string | undefined;
    readonly limit: number;
    readonly after: SitePosition | undefined;
  },
  now: Date,
): Promise<Site[]> {
  const { userId, limit, after } = page;
  const isTheirs = userId === undefined ? sql`true` : sql`site.user_id = ${userId}`;
  const isLater =
    after === undefined
      ? sql``
      : sql`and (site.created_at, site.id) < (${after.createdAt}, ${after.id}::uuid)`;
  const condition = sql<SqlBool>`${isTheirs} ${isLater}
    order by site.created_at desc, site.id desc limit ${limit}`;
  return selectSitesWhere(db, now, condition);
}

/** Pending and active ones; by sites_of_user. */
export async function countConnectedSites(db: Db, userId: string, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sitesWithKeys}
    where site.user_id = ${userId} and ${siteStatus(now)} in ('pending', 'active')`.execute(db);
  return rows[0]?.count ?? 0;
}

/** The values of a new connection. Other columns of an existing row stay. */
export interface NewConnection extends SiteAddresses {
  /** Only for a new row. */
  readonly id: string;
  readonly userId: string;
  readonly keyId: string;
  readonly transcripts: boolean;
  readonly pingSecret: string;
  readonly connectedAt: Date;
}

/** Connects a home address, for the first time or again, and returns its site's id. */
export async function upsertSite(db: Db, site: NewConnection): Promise<string> {
  const { id, userId, siteUrl, keyId, restRoot, transcripts, pingSecret, connectedAt } = site;
  const connection = {
    ...toRow({ keyId, restRoot, transcripts, pingSecret, connectedAt }),
    ...{ activated_at: null, revoked_at: null, sync_error_count: 0 },
  };
  const told = {
    ...(site.adminUrl !== null && { admin_url: site.adminUrl }),
    ...(site.siteName !== null && { site_name: site.siteName }),
  };
  const row = await db
    .insertInto('sites')
    .values({
      ...{ id, user_id: userId, site_url: siteUrl, created_at: connectedAt },
      ...connection,
      ...told,
    })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'site_url']).doUpdateSet({ ...connection, ...told }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** A connection that its user has approved. */
export interface ApprovedConnection extends SiteAddresses {
  readonly userId: string;
  readonly podcastIds: readonly string[];
  readonly transcripts: boolean;
  readonly codeChallenge: string;
  /** A tag of the user's password at the approval. */
  readonly passwordTag: Buffer;
}

export async function insertCode(
  db: Db,
  code: ApprovedConnection & { readonly hash: Buffer; readonly expiresAt: Date },
): Promise<void> {
  await db.insertInto('site_codes').values(toRow(code)).execute();
}

/** Uses a code up; the second of two concurrent calls finds nothing. By the primary key. */
export async function deleteCode(
  db: Db,
  hash: Buffer,
  now: Date,
): Promise<ApprovedConnection | undefined> {
  const { rows } = await sql<ApprovedConnection & { readonly isLive: boolean }>`
    delete from site_codes where hash = ${hash}
    returning user_id as "userId", site_url as "siteUrl", rest_root as "restRoot",
      admin_url as "adminUrl", site_name as "siteName", podcast_ids as "podcastIds", transcripts,
      code_challenge as "codeChallenge", password_tag as "passwordTag",
      expires_at > ${now} as "isLive"`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { isLive, ...connection } = row;
  return isLive ? connection : undefined;
}

/** Deletes a user's codes except the newest `keep`. By site_codes_of_user. */
export async function deleteSurplusCodes(db: Db, userId: string, keep: number): Promise<void> {
  await sql`delete from site_codes where hash in (
    select hash from site_codes where user_id = ${userId}
    order by expires_at desc offset ${keep})`.execute(db);
}

/** By site_codes_expired. */
export async function deleteExpiredCodes(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('site_codes').where('expires_at', '<=', now).execute();
}

/** A show that its user owns or administers. */
export interface ManagedShow {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly createdAt: Date;
  /** Why it cannot be connected (SITE-3); null: it can. */
  readonly obstacle: 'hosted_elsewhere' | 'plan_lapsed' | 'plan_without_api' | null;
}

interface ManagedShowsQuery {
  readonly limit: number;
  readonly after?: PodcastPosition | undefined;
  /** Only of these. */
  readonly podcastIds?: readonly string[] | undefined;
}

/**
 * The shows that a user owns or administers, oldest first. By podcast_members_of_user, or by
 * podcast_members_pkey.
 */
export async function selectManagedShows(
  db: Db,
  userId: string,
  { limit, after, podcastIds }: ManagedShowsQuery,
): Promise<ManagedShow[]> {
  const isNamed =
    podcastIds === undefined
      ? sql<SqlBool>`true`
      : sql<SqlBool>`m.podcast_id = any (${podcastIds}::uuid[])`;
  const isAfter =
    after === undefined
      ? sql<SqlBool>`true`
      : sql<SqlBool>`(m.podcast_created_at, m.podcast_id) > (${after.createdAt}, ${after.id})`;
  const { rows } = await sql<ManagedShow>`
    select p.id, p.slug, p.title, p.created_at as "createdAt",
      case when p.hosting_type <> 'hosted' then 'hosted_elsewhere'
        when owning.plan_state <> 'active' then 'plan_lapsed'
        when not ${planIncludesApi} then 'plan_without_api' end as obstacle
    from podcast_members m
    join podcasts p on p.id = m.podcast_id
    join accounts owning on owning.id = p.account_id
    where m.user_id = ${userId} and ${administers} and ${isNamed} and ${isAfter}
    order by m.podcast_created_at, m.podcast_id
    limit ${limit}`.execute(db);
  return rows;
}
