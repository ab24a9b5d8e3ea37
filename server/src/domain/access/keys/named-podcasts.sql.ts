import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';

/**
 * Adds podcasts to those a key names, and returns the ids that are new. With `memberId`, adds only
 * podcasts of which this user is a member.
 */
export async function insertNamedPodcasts(
  db: Db,
  input: {
    readonly keyId: string;
    readonly podcastIds: readonly string[];
    readonly memberId: string | undefined;
  },
): Promise<string[]> {
  const { keyId, podcastIds, memberId } = input;
  const isMember =
    memberId === undefined
      ? sql``
      : sql`and exists (select from podcast_members m
          where m.podcast_id = p.id and m.user_id = ${memberId})`;
  const { rows } = await sql<{ podcastId: string }>`
    insert into api_key_podcasts (key_id, podcast_id, podcast_created_at)
    select ${keyId}::uuid, p.id, p.created_at from podcasts p
    where p.id = any (${podcastIds}::uuid[]) ${isMember}
    order by p.id
    on conflict (key_id, podcast_id) do nothing
    returning podcast_id as "podcastId"`.execute(db);
  return rows.map(({ podcastId }) => podcastId);
}

/** Keeps what the key was cut off from, which is permanent. By the primary key. */
export async function deleteNamedPodcasts(
  db: Db,
  keyId: string,
  podcastIds: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('api_key_podcasts')
    .where('key_id', '=', keyId)
    .where(sql<SqlBool>`podcast_id = any (${podcastIds}::uuid[])`)
    .where('blocked_at', 'is', null)
    .execute();
}

/**
 * Takes a podcast from a user's site keys, except where they were cut off from it. Locks the keys in
 * the order of all others. By api_key_podcasts_of_podcast.
 */
export async function deleteFromSiteKeys(db: Db, userId: string, podcastId: string): Promise<void> {
  await sql`
    with theirs as (
      select k.id from api_keys k
      where k.user_id = ${userId} and k.kind = 'site'
        and k.id in (select key_id from api_key_podcasts where podcast_id = ${podcastId})
      order by k.id for no key update
    )
    delete from api_key_podcasts named using theirs
    where named.key_id = theirs.id and named.podcast_id = ${podcastId}
      and named.blocked_at is null`.execute(db);
}

/** By the primary key, oldest first. */
export async function selectPodcastTitles(
  db: Db,
  podcastIds: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('podcasts')
    .select('title')
    .where(sql<SqlBool>`id = any (${podcastIds}::uuid[])`)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ title }) => title);
}
