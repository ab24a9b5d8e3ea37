import { sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';
import {
  allowsKeys,
  type MemberRole,
  planIncludesApi,
  roleOf,
} from '../../foundation/permissions/index.ts';
import type { KeyPrincipal } from '../../foundation/principal.ts';
import type { Membership } from '../../foundation/relation.ts';
import type { Podcast, PodcastPosition } from '../../publishing/podcasts/index.ts';

/** A podcast as a key's reader sees it. */
export type ReachedPodcast = Pick<
  Podcast,
  'id' | 'slug' | 'title' | 'status' | 'hostingType' | 'timezone' | 'createdAt'
> & { readonly membership: MemberRole };

interface Row extends Omit<ReachedPodcast, 'membership'>, Membership {}

/**
 * The usual and the longest page of the API, each with the row after it. They are constants in the
 * statement, so that the plan, made once for all parameters, walks an index and does not sort.
 */
const rowsOfPages = [21, 101];

/**
 * Lists the oldest first, by (created_at, id). A key for all podcasts walks
 * podcast_members_of_user, a key for named ones api_key_podcasts_in_order. The conditions are those
 * of `authorize`; each row is checked by primary keys, so a page costs only its own rows. (The
 * `limit 1` keeps the planner from joining everything first and sorting it.)
 */
export async function selectReachedPodcasts(
  db: Db,
  { userId, key }: Pick<KeyPrincipal, 'key' | 'userId'>,
  page: { readonly limit: number; readonly after?: PodcastPosition | undefined },
): Promise<ReachedPodcast[]> {
  const { id: keyId, allPodcasts } = key;
  const { limit, after } = page;
  const planned = rowsOfPages.find((rows) => limit <= rows) ?? limit;
  const place = sql`walked.podcast_created_at, walked.podcast_id`;
  const [walked, isTheirs] = allPodcasts
    ? [sql`podcast_members walked`, sql`walked.user_id = ${userId}`]
    : [sql`api_key_podcasts walked`, sql`walked.key_id = ${keyId}`];
  const { rows } = await sql<Row>`
    select * from (
      select reached.* from ${walked} cross join lateral (
        select p.id, p.slug, p.title, p.status, p.hosting_type as "hostingType", p.timezone,
          p.created_at as "createdAt", m.role, m.role_name as "roleName", m.capabilities
        from podcasts p
        join accounts owning on owning.id = p.account_id
        join podcast_members m on m.podcast_id = p.id and m.user_id = ${userId}
        left join api_key_podcasts named on named.podcast_id = p.id and named.key_id = ${keyId}
        where p.id = walked.podcast_id and named.blocked_at is null
          and ${planIncludesApi} and ${allowsKeys}
        limit 1
      ) reached
      where ${isTheirs} ${after ? sql`and (${place}) > (${after.createdAt}, ${after.id})` : sql``}
      order by ${place} limit ${sql.lit(planned)}
    ) page limit ${limit}`.execute(db);
  return rows.map(({ role, roleName, capabilities, ...podcast }) => ({
    ...podcast,
    membership: roleOf({ role, roleName, capabilities }),
  }));
}

/** By api_key_podcasts_in_order, and the primary key of podcast_members. */
export async function selectNamedPodcastIds(
  db: Db,
  { key, userId }: { readonly key: { readonly id: string }; readonly userId: string },
): Promise<string[]> {
  const rows = await db
    .selectFrom('api_key_podcasts as named')
    .innerJoin('podcast_members as m', 'm.podcast_id', 'named.podcast_id')
    .select('named.podcast_id as podcastId')
    .where('named.key_id', '=', key.id)
    .where('named.blocked_at', 'is', null)
    .where('m.user_id', '=', userId)
    .orderBy('named.podcast_created_at')
    .orderBy('named.podcast_id')
    .execute();
  return rows.map(({ podcastId }) => podcastId);
}

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
