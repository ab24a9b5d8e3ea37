import { type RawBuilder, sql } from 'kysely';
import { limitedStorage } from '../accounts/index.ts';
import type { Db } from '../database.ts';

export interface StorageSums {
  readonly audioBytes: number;
  readonly imageBytes: number;
  /** Of uploads of audio and pictures that are not part of a podcast yet. */
  readonly uploadBytes: number;
}

/**
 * An upload counts until it is used, and its file is counted instead, or until it expires. Those of the
 * owner count with their whole size, those of other members as they arrive: somebody who only announces
 * files must not use up the storage of another.
 */
const sumOfUploads = (ofWhich: RawBuilder<unknown>, now: Date) => sql`
  (select coalesce(sum(case when exists
      (select from users where id = u.user_id and account_id = p.account_id)
      then u.size_bytes else u.received_bytes end), 0)::bigint
    from uploads u join podcasts p on p.id = u.podcast_id
    where ${ofWhich} and u.purpose in ('audio', 'image') and u.used_at is null
      and u.expires_at > ${now})`;

/** Of all podcasts of an account; by podcasts_of_account and podcast_storage_pkey. */
export async function sumStorage(db: Db, accountId: string, now: Date): Promise<StorageSums> {
  const { rows } = await sql<StorageSums>`
    select coalesce(sum(s.audio_bytes), 0)::bigint as "audioBytes",
      coalesce(sum(s.image_bytes), 0)::bigint as "imageBytes",
      ${sumOfUploads(sql`p.account_id = ${accountId}`, now)} as "uploadBytes"
    from podcasts p join podcast_storage s on s.podcast_id = p.id
    where p.account_id = ${accountId}`.execute(db);
  return rows[0] ?? { audioBytes: 0, imageBytes: 0, uploadBytes: 0 };
}

/** By podcast_storage_pkey and uploads_of_podcast. */
export async function sumStorageOfPodcast(db: Db, podcastId: string, now: Date): Promise<number> {
  const { rows } = await sql<{ readonly bytes: number }>`
    select (coalesce((select audio_bytes + image_bytes from podcast_storage
        where podcast_id = ${podcastId}), 0)
      + ${sumOfUploads(sql`p.id = ${podcastId}`, now)})::bigint as bytes`.execute(db);
  return rows[0]?.bytes ?? 0;
}

/** How long a replaced or deleted file is kept at most: docs/decisions/0030. */
const keptFor = sql`interval '2 days'`;

export interface WrittenFiles {
  /** Of files that an account has added in the time for which replaced ones are kept. */
  readonly bytes: number;
  /** Until at most `mostBytes` of them are so young; undefined: that is so already. */
  readonly secondsLeft: number | undefined;
}

/** By written_files_of_account. */
export async function sumWritten(
  db: Db,
  accountId: string,
  mostBytes: number,
): Promise<WrittenFiles> {
  const written = sql`from written_files
    where account_id = ${accountId} and written_at > now() - ${keptFor}`;
  const { rows } = await sql<{ readonly bytes: number }>`
    select coalesce(sum(bytes), 0)::bigint as bytes ${written}`.execute(db);
  const bytes = rows[0]?.bytes ?? 0;
  if (bytes <= mostBytes) return { bytes, secondsLeft: undefined };
  const { rows: late } = await sql<{ readonly seconds: number | null }>`
    select ceil(extract(epoch from max(written_at) + ${keptFor} - now()))::int as seconds from (
      select written_at, sum(bytes) over (order by written_at desc, id) as bytes ${written}
    ) since where bytes > ${mostBytes}`.execute(db);
  return { bytes, secondsLeft: late[0]?.seconds ?? undefined };
}

/** By written_files_by_age. */
export async function purgeWritten(db: Db): Promise<void> {
  await sql`delete from written_files where written_at <= now() - ${keptFor}`.execute(db);
}

export interface AccountPlan {
  readonly accountId: string;
  readonly plan: string;
}

export interface TextSums extends AccountPlan {
  /** What this transaction has added. */
  readonly grownBytes: number;
  readonly podcastBytes: number;
  readonly accountBytes: number;
}

/** The texts of a podcast and of its account; by podcasts_of_account and podcast_texts_of_podcast. */
export async function sumTexts(db: Db, podcastId: string): Promise<TextSums | undefined> {
  const { rows } = await sql<TextSums>`
    select a.id as "accountId", a.plan, own.grown::bigint as "grownBytes", own.bytes::bigint as "podcastBytes",
      (select sum(t.bytes)::bigint from podcasts o
        join podcast_texts t on t.podcast_id = o.id where o.account_id = a.id) as "accountBytes"
    from podcasts p join accounts a on a.id = p.account_id
    cross join lateral (
      select coalesce(sum(bytes), 0) as bytes,
        coalesce(sum(bytes) filter (where made_by = pg_current_xact_id_if_assigned()), 0) as grown
      from podcast_texts where podcast_id = p.id
    ) own
    where p.id = ${podcastId}`.execute(db);
  return rows[0];
}

/** Up to `limit` podcasts with more rows of texts than their sum, or with rows although they are gone. */
export async function selectUnmergedTexts(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ readonly podcastId: string }>`
    select podcast_id as "podcastId" from podcast_texts t group by podcast_id
    having count(*) > 1 or not exists (select from podcasts where id = t.podcast_id)
    limit ${limit}`.execute(db);
  return rows.map(({ podcastId }) => podcastId);
}

/** Makes one row of all that is noted of the texts of each podcast; none where it is gone. */
export async function mergeTexts(db: Db, podcastIds: readonly string[]): Promise<void> {
  await sql`
    with merged as (
      delete from podcast_texts where podcast_id = any(${podcastIds}::uuid[])
      returning podcast_id, bytes
    )
    insert into podcast_texts (podcast_id, bytes, made_by)
    select podcast_id, bytes, null
    from (select podcast_id, sum(bytes) as bytes from merged group by podcast_id) sums
    where exists (select from podcasts where id = sums.podcast_id)`.execute(db);
}

/** Has all texts counted anew: of a database without triggers, as while a backup is restored. */
export async function queueTextCounts(db: Db): Promise<void> {
  await sql`
    insert into texts_to_count (podcast_id) select id from podcasts on conflict do nothing`.execute(
    db,
  );
}

/** The next podcasts that follow `after` and whose texts are not counted yet. By texts_to_count_pkey. */
export async function selectUncountedTexts(
  db: Db,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('texts_to_count')
    .select('podcast_id as podcastId')
    .where('podcast_id', '>', after)
    .orderBy('podcast_id')
    .limit(limit)
    .execute();
  return rows.map(({ podcastId }) => podcastId);
}

/**
 * Replaces all that is noted of the texts of a podcast by what its rows have. Call this first in a
 * transaction: it sees one state of the database, and fails with a conflict if another process merges
 * the same rows, so that nothing counts twice. Changes that are not committed yet add to it later.
 */
export async function recountTexts(db: Db, podcastId: string): Promise<void> {
  await sql`set transaction isolation level repeatable read`.execute(db);
  await sql`
    with counted as (
      delete from texts_to_count where podcast_id = ${podcastId} returning podcast_id
    ), removed as (
      delete from podcast_texts where podcast_id in (select podcast_id from counted)
    )
    insert into podcast_texts (podcast_id, bytes, made_by)
    select podcast_id, count_texts(podcast_id), null from counted`.execute(db);
}

/** By podcasts_pkey. */
export function selectPlanOfPodcast(db: Db, podcastId: string): Promise<AccountPlan | undefined> {
  return db
    .selectFrom('podcasts as p')
    .innerJoin('accounts as a', 'a.id', 'p.account_id')
    .select(['a.id as accountId', 'a.plan'])
    .where('p.id', '=', podcastId)
    .executeTakeFirst();
}

/** Whether the user belongs to the account of the podcast. */
export async function isOfAccount(db: Db, podcastId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('podcasts as p')
    .innerJoin('users as u', 'u.account_id', 'p.account_id')
    .select('u.id')
    .where('p.id', '=', podcastId)
    .where('u.id', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the account is that of the user; by users_pkey. */
export async function isAccountOf(db: Db, accountId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Locks the account until the transaction ends: of two that add files, the second sees what the
 * first has added.
 */
export function lockPlan(db: Db, accountId: string): Promise<AccountPlan | undefined> {
  return db
    .selectFrom('accounts')
    .select(['id as accountId', 'plan'])
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Before a podcast's episodes are deleted, so that not each of them changes the row. */
export async function purgeStorage(db: Db, podcastId: string): Promise<void> {
  await db.deleteFrom('podcast_storage').where('podcast_id', '=', podcastId).execute();
}

export interface NearAccount extends AccountPlan {
  readonly ownerName: string;
  readonly email: string;
  readonly usedBytes: number;
  readonly isNear: boolean;
}

/**
 * The accounts whose owners have to be told that their storage is nearly used up, and those that may
 * be told again later. `nearShare`: told from here; `doneShare`: over below it.
 */
export async function selectChangedAccounts(
  db: Db,
  {
    nearShare,
    doneShare,
    limit,
  }: { readonly nearShare: number; readonly doneShare: number; readonly limit: number },
): Promise<NearAccount[]> {
  const plans = sql.join(limitedStorage.map(({ id, bytes }) => sql`(${id}, ${bytes}::bigint)`));
  const { rows } = await sql<NearAccount>`
    with used as (
      select p.account_id, sum(s.audio_bytes + s.image_bytes)::bigint as bytes
      from podcast_storage s join podcasts p on p.id = s.podcast_id
      group by p.account_id
    )
    select a.id as "accountId", a.plan, u.name as "ownerName", u.email,
      coalesce(used.bytes, 0) as "usedBytes", a.told_storage_at is null as "isNear"
    from accounts a
    join users u on u.account_id = a.id
    left join used on used.account_id = a.id
    left join (values ${plans}) as included (plan, bytes) on included.plan = a.plan
    where case when a.told_storage_at is null
      then used.bytes >= included.bytes * ${sql.lit(nearShare)}
      else coalesce(used.bytes, 0) < included.bytes * ${sql.lit(doneShare)} or included.bytes is null end
    order by a.id limit ${limit}
    for no key update of a skip locked`.execute(db);
  return rows;
}

export async function updateNotified(db: Db, accountId: string, at: Date | null): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ told_storage_at: at })
    .where('id', '=', accountId)
    .execute();
}
