import { sql } from 'kysely';
import type { Db } from '../../server/src/domain/foundation/database.ts';

/**
 * Copies a connected site that has read its feed. The copies are active and have read it too. A
 * user could not connect so many.
 */
export async function copySite(db: Db, siteId: string, count: number): Promise<void> {
  await db.transaction().execute((tx) => copyRows(tx, siteId, count));
}

async function copyRows(db: Db, siteId: string, count: number): Promise<void> {
  await sql`
    create temporary table copies on commit drop as
    select gen_random_uuid() as site_id, gen_random_uuid() as key_id, n
    from generate_series(1, ${sql.lit(count)}) n`.execute(db);
  await sql`
    insert into api_keys (id, user_id, kind, name, scopes, all_podcasts, created_at)
    select copies.key_id, k.user_id, k.kind, k.name, k.scopes, k.all_podcasts, k.created_at
    from copies cross join sites site join api_keys k on k.id = site.key_id
    where site.id = ${siteId}`.execute(db);
  await sql`
    insert into api_key_secrets (key_id, hash, last_four, created_at, expires_at)
    select copies.key_id, sha256(copies.key_id::text::bytea), secret.last_four,
      secret.created_at, secret.expires_at
    from copies cross join sites site join api_key_secrets secret on secret.key_id = site.key_id
    where site.id = ${siteId}`.execute(db);
  await sql`
    insert into api_key_podcasts (key_id, podcast_id, podcast_created_at)
    select copies.key_id, podcast_id, podcast_created_at
    from copies cross join sites site join api_key_podcasts named on named.key_id = site.key_id
    where site.id = ${siteId}`.execute(db);
  await sql`
    insert into sites (id, user_id, key_id, site_url, rest_root, transcripts, ping_secret, created_at,
      connected_at, activated_at, head_seq, history)
    select copies.site_id, user_id, copies.key_id, site_url || n || '/',
      replace(rest_root, '/wp-json/', '/' || n || '/wp-json/'), transcripts, ping_secret, created_at,
      connected_at, activated_at, head_seq, history
    from copies cross join sites site where site.id = ${siteId}`.execute(db);
  await sql`
    insert into site_podcasts (site_id, podcast_id, snapshot, as_of, common_hash)
    select copies.site_id, podcast_id, snapshot, as_of, common_hash
    from copies cross join site_podcasts followed where followed.site_id = ${siteId}`.execute(db);
  await sql`
    insert into site_changes (site_id, episode_id, podcast_id, seq, content_hash, reason, changed_at)
    select copies.site_id, episode_id, podcast_id, seq, content_hash, reason, changed_at
    from copies cross join site_changes change where change.site_id = ${siteId}`.execute(db);
}

/** Simulates that all sites have read their feeds to the end. */
export async function noteCalls(db: Db): Promise<void> {
  await sql`
    insert into site_calls (site_id, after_seq, called_at) select id, head_seq, now() from sites
    on conflict (site_id) do update set after_seq = excluded.after_seq, called_at = now()`.execute(
    db,
  );
}

export async function moveSite(db: Db, siteId: string, restRoot: string): Promise<void> {
  await db.updateTable('sites').set({ rest_root: restRoot }).where('id', '=', siteId).execute();
}
