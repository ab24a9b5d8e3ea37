import { type SqlBool, sql } from 'kysely';
import { type Db, toRow } from '../../foundation/database.ts';
import type { KeyKind, Scope } from '../../foundation/enumerations.ts';
import type { Key } from './key.ts';

interface Row extends Omit<Key, 'podcasts' | 'replaced' | 'lastUse'> {
  readonly allPodcasts: boolean;
  readonly namedPodcasts: string[];
  readonly replacedLastFour: string | null;
  readonly replacedWorksUntil: Date | null;
  readonly usedAt: Date | null;
  readonly usedCountry: string | null;
  readonly usedNetwork: string | null;
}

const podcastsOfKey = (condition: ReturnType<typeof sql>) => sql`array(
  select named.podcast_id from api_key_podcasts named where named.key_id = k.id and ${condition}
  order by named.podcast_created_at, named.podcast_id)`;

function selectKeysWhere(now: Date, condition: ReturnType<typeof sql<SqlBool>>) {
  return sql<Row>`
    select k.id, k.user_id as "userId", k.kind, k.name, k.scopes, k.all_podcasts as "allPodcasts",
      k.created_at as "createdAt", k.revoked_at as "revokedAt",
      current.last_four as "lastFour", current.expires_at as "expiresAt",
      old.last_four as "replacedLastFour", old.expires_at as "replacedWorksUntil",
      k.last_used_at as "usedAt", k.last_used_country as "usedCountry",
      k.last_used_network as "usedNetwork",
      ${podcastsOfKey(sql`named.blocked_at is null`)} as "namedPodcasts",
      ${podcastsOfKey(sql`named.blocked_at is not null`)} as "cutOffFrom"
    from api_keys k
    join api_key_secrets current on current.key_id = k.id and not current.replaced
    left join api_key_secrets old
      on old.key_id = k.id and old.replaced and old.expires_at > ${now} and k.revoked_at is null
    where ${condition}`;
}

/** Lists active keys, then those that ended after `since`; newest first. By api_keys_of_user. */
export async function selectKeys(
  db: Db,
  userId: string,
  { now, since, limit }: { readonly now: Date; readonly since: Date; readonly limit: number },
): Promise<Key[]> {
  const recent = sql<SqlBool>`k.user_id = ${userId} and k.kind = 'user'
    and current.expires_at > ${since} and coalesce(k.revoked_at > ${since}, true)
    order by (k.revoked_at is null and current.expires_at > ${now}) desc,
      k.created_at desc, k.id desc limit ${limit}`;
  const { rows } = await selectKeysWhere(now, recent).execute(db);
  return rows.map(toKey);
}

/** Finds only people's keys, not those of sites. By the primary key. */
export async function selectKey(db: Db, keyId: string, now: Date): Promise<Key | undefined> {
  const wanted = sql<SqlBool>`k.id = ${keyId} and k.kind = 'user'`;
  const { rows } = await selectKeysWhere(now, wanted).execute(db);
  return rows[0] && toKey(rows[0]);
}

function toKey(row: Row): Key {
  return {
    id: row.id,
    userId: row.userId,
    kind: row.kind,
    name: row.name,
    scopes: row.scopes,
    podcasts: row.allPodcasts ? 'all' : row.namedPodcasts,
    cutOffFrom: row.cutOffFrom,
    lastFour: row.lastFour,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    revokedAt: row.revokedAt,
    replaced:
      row.replacedLastFour === null || row.replacedWorksUntil === null
        ? null
        : { lastFour: row.replacedLastFour, worksUntil: row.replacedWorksUntil },
    lastUse: row.usedAt && {
      at: row.usedAt,
      country: row.usedCountry,
      network: row.usedNetwork,
    },
  };
}

/** Locks the key until the transaction ends, against a cut-off, which does not lock the user. */
export async function lockKey(db: Db, keyId: string): Promise<void> {
  await db.selectFrom('api_keys').select('id').where('id', '=', keyId).forNoKeyUpdate().execute();
}

/** The same for several, always in the same order. */
export async function lockKeys(db: Db, keyIds: readonly string[]): Promise<void> {
  await db
    .selectFrom('api_keys')
    .select('id')
    .where(sql<SqlBool>`id = any (${keyIds}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/**
 * Locks a user's keys of either kind that are not revoked, always in the same order, to avoid
 * deadlocks.
 */
export async function lockKeysOfUser(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('api_keys')
    .select('id')
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

export async function countActiveKeys(
  db: Db,
  userId: string,
  kind: KeyKind,
  now: Date,
): Promise<number> {
  const { count } = await db
    .selectFrom('api_keys as k')
    .innerJoin('api_key_secrets as current', 'current.key_id', 'k.id')
    .select((query) => query.fn.countAll<number>().as('count'))
    .where('k.user_id', '=', userId)
    .where('k.kind', '=', kind)
    .where('k.revoked_at', 'is', null)
    .where('current.replaced', '=', false)
    .where('current.expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns false if a key with this id exists. */
export async function insertKey(
  db: Db,
  key: Pick<Key, 'id' | 'userId' | 'kind' | 'name' | 'scopes' | 'createdAt'> & {
    readonly allPodcasts: boolean;
    readonly forRegistration?: boolean;
  },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('api_keys')
    .values(toRow(key))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/**
 * Deletes people's keys that ended before `since`, or after which `keep` keys of their user ended,
 * and sites' keys that belong to no site: those that were replaced, and those that were not
 * registered in time. Returns their number. Reads all keys; a user has few.
 */
export async function deleteEndedKeys(
  db: Db,
  ends: {
    readonly now: Date;
    readonly since: Date;
    readonly keep: number;
    /** Nobody can be registering a key from before this. */
    readonly registrableSince: Date;
  },
  limit: number,
): Promise<number> {
  const { now, since, keep, registrableSince } = ends;
  const { numAffectedRows = 0n } = await sql`
    with known as (
      select k.id, k.user_id, k.kind, k.created_at, least(k.revoked_at, current.expires_at) as ends_at
      from api_keys k join api_key_secrets current on current.key_id = k.id and not current.replaced
    ), ended as (
      select id, ends_at, row_number() over (partition by user_id order by ends_at desc, id) as place
      from known where kind = 'user' and ends_at <= ${now}
    )
    delete from api_keys where id in (
      select id from api_keys where id in (
        select id from ended where ends_at <= ${since} or place > ${keep}
        union all
        select id from known where kind = 'site'
          and (ends_at <= ${now} or created_at <= ${registrableSince})
          and not exists (select from sites where key_id = known.id))
      order by id limit ${limit} for update skip locked)`.execute(db);
  return Number(numAffectedRows);
}

export async function updateKeyName(db: Db, keyId: string, name: string): Promise<void> {
  await db.updateTable('api_keys').set({ name }).where('id', '=', keyId).execute();
}

export async function updateKeyAccess(
  db: Db,
  keyId: string,
  access: { readonly scopes: readonly Scope[]; readonly allPodcasts: boolean },
): Promise<void> {
  await db.updateTable('api_keys').set(toRow(access)).where('id', '=', keyId).execute();
}

/** Returns how many keys it revoked; it skips those revoked before. */
export async function revokeKeys(
  db: Db,
  keyIds: readonly string[],
  revokedAt: Date,
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('api_keys')
    .set({ revoked_at: revokedAt })
    .where(sql<SqlBool>`id = any (${keyIds}::uuid[])`)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

interface NewSecret {
  readonly keyId: string;
  readonly hash: Buffer;
  readonly lastFour: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export async function insertSecret(db: Db, secret: NewSecret): Promise<void> {
  await db.insertInto('api_key_secrets').values(toRow(secret)).execute();
}

/** Ends the grace of an earlier roll, and marks the current secret as replaced. */
export async function replaceSecret(db: Db, keyId: string, worksUntil: Date): Promise<void> {
  await db
    .deleteFrom('api_key_secrets')
    .where('key_id', '=', keyId)
    .where('replaced', '=', true)
    .execute();
  await db
    .updateTable('api_key_secrets')
    .set(({ fn, val }) => ({
      replaced: true,
      expires_at: fn<Date>('least', ['expires_at', val(worksUntil)]),
    }))
    .where('key_id', '=', keyId)
    .execute();
}

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

export interface ExpiringKey {
  readonly id: string;
  readonly name: string;
  readonly lastFour: string;
  readonly expiresAt: Date;
  readonly userName: string;
  readonly email: string;
  /** The home address of the site whose key it is; null for a person's key. */
  readonly siteUrl: string | null;
}

/**
 * Keys whose current secret expires within `span` and whose user was not reminded; marks them
 * reminded. A site's key that no site has registered is not listed. Skips rows locked by another
 * worker. By api_key_secrets_to_remind.
 */
export async function takeExpiringKeys(
  db: Db,
  span: { readonly after: Date; readonly until: Date },
  limit: number,
): Promise<ExpiringKey[]> {
  const { rows } = await sql<ExpiringKey>`
    with due as (
      select s.key_id, site.site_url
      from api_key_secrets s join api_keys k on k.id = s.key_id
      left join sites site on site.key_id = k.id
      where (k.kind = 'user' or site.id is not null) and not s.replaced and s.reminded_at is null and k.revoked_at is null
        and s.expires_at > ${span.after} and s.expires_at <= ${span.until}
      order by s.expires_at limit ${limit} for no key update of s skip locked
    )
    update api_key_secrets s set reminded_at = ${span.after}
    from due join api_keys k on k.id = due.key_id join users u on u.id = k.user_id
    where s.key_id = due.key_id and not s.replaced
    returning k.id, k.name, s.last_four as "lastFour", s.expires_at as "expiresAt",
      u.name as "userName", u.email, due.site_url as "siteUrl"`.execute(db);
  return rows;
}
