import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';
import { siteStatus, sitesWithKeys } from './sites.sql.ts';

const isEnded = (now: Date): RawBuilder<SqlBool> =>
  sql<SqlBool>`${siteStatus(now)} in ('revoked', 'disconnected')`;

/**
 * The next sites that follow `after`, and after which `most` sites of their user ended. Reads all sites of
 * all users, who have few.
 */
export async function selectSitesToDelete(
  db: Db,
  { now, most }: { readonly now: Date; readonly most: number },
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with ended as (
      select site.id, site.user_id, least(k.revoked_at, secret.expires_at) as ended_at
      from ${sitesWithKeys} where ${isEnded(now)}
    ), placed as (
      select id, row_number() over (partition by user_id order by ended_at desc, id) as place
      from ended)
    select id from placed where place > ${most} and id > ${after}
    order by id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** By primary keys. */
export async function isEndedSite(db: Db, siteId: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select from ${sitesWithKeys} where site.id = ${siteId} and ${isEnded(now)}`.execute(db);
  return rows.length > 0;
}

/**
 * Deletes up to `limit` changes and as many posts, and returns whether there were any. If the site
 * is connected again before all are deleted, everything is compared again, because its server is
 * unknown (`startOver`). By primary keys.
 */
export async function deleteChangesAndPosts(
  db: Db,
  siteId: string,
  limit: number,
): Promise<boolean> {
  const { rows } = await sql<{ deleted: boolean }>`
    with changes as (
      delete from site_changes where site_id = ${siteId} and episode_id in (
        select episode_id from site_changes where site_id = ${siteId} limit ${limit})
      returning episode_id
    ), posts as (
      delete from site_posts where site_id = ${siteId} and episode_id in (
        select episode_id from site_posts where site_id = ${siteId} limit ${limit})
      returning episode_id
    ), begun as (
      update sites set history = null where id = ${siteId} and history is not null)
    select exists (select from changes union all select from posts) as deleted`.execute(db);
  return rows[0]?.deleted === true;
}

/** With what else belongs to it: some thousand rows at most. Its key has ended, and is left. */
export async function deleteEndedSite(db: Db, siteId: string): Promise<void> {
  await db.deleteFrom('sites').where('id', '=', siteId).execute();
}
