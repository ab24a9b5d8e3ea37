import { sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';

/**
 * Locks the keys that name a podcast, or cover all podcasts of a user who is its member, until the
 * transaction ends. By api_key_podcasts_of_podcast, and by podcast_members_pkey and
 * api_keys_of_user.
 */
export async function lockKeysThatReach(db: Db, podcastId: string, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select k.id from api_keys k
    where k.id in (
        select key_id from api_key_podcasts where podcast_id = ${podcastId}
        union all
        select of_member.id from podcast_members m join api_keys of_member using (user_id)
        where m.podcast_id = ${podcastId} and of_member.all_podcasts)
      and k.revoked_at is null
      and exists (select from api_key_secrets s where s.key_id = k.id and s.expires_at > ${now})
    order by k.id for no key update of k`.execute(db);
  return rows.map(({ id }) => id);
}

/** Returns the keys it blocks; keys that were blocked before stay as they are. */
export async function blockKeys(
  db: Db,
  podcastId: string,
  keyIds: readonly string[],
  blockedAt: Date,
): Promise<string[]> {
  const { rows } = await sql<{ keyId: string }>`
    insert into api_key_podcasts as named (key_id, podcast_id, podcast_created_at, blocked_at)
    select key.id, p.id, p.created_at, ${blockedAt}
    from unnest(${keyIds}::uuid[]) key (id) cross join podcasts p where p.id = ${podcastId}
    on conflict (key_id, podcast_id) do update set blocked_at = excluded.blocked_at
      where named.blocked_at is null
    returning key_id as "keyId"`.execute(db);
  return rows.map(({ keyId }) => keyId);
}

/** Of these, people's keys that name podcasts and have none left to read. */
export async function selectKeysWithoutPodcasts(
  db: Db,
  keyIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select k.id from api_keys k
    where k.id = any (${keyIds}::uuid[]) and k.kind = 'user' and not k.all_podcasts
      and not exists (select from api_key_podcasts named
        where named.key_id = k.id and named.blocked_at is null)`.execute(db);
  return rows.map(({ id }) => id);
}

/** Lists each user once, however many keys they have. */
export async function selectUsersOfKeys(
  db: Db,
  keyIds: readonly string[],
): Promise<{ id: string; name: string; email: string }[]> {
  const { rows } = await sql<{ id: string; name: string; email: string }>`
    select u.id, u.name, u.email from users u
    where u.id in (select user_id from api_keys where id = any (${keyIds}::uuid[]))
    order by u.id`.execute(db);
  return rows;
}
