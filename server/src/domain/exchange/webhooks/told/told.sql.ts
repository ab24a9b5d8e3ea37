import { sql } from 'kysely';
import type { Db } from '../../../foundation/database.ts';
import { consumer } from './consumer.ts';

/** What the webhooks of a show have been told of it. */
export interface ToldShow {
  readonly podcastId: string;
  /** Null: not known. */
  readonly hash: Buffer | null;
  /** Everything is to be compared. */
  readonly isStale: boolean;
  /** The rest of its stale episodes is to be compared. */
  readonly hasStaleEpisodes: boolean;
}

/** Those of these podcasts, and of the podcasts of these accounts, that have webhooks; in order. */
export async function selectToldShows(
  db: Db,
  podcastIds: readonly string[],
  accountIds: readonly string[],
): Promise<{ podcastId: string; accountId: string; begunAt: Date }[]> {
  return await db
    .selectFrom('webhook_shows as told')
    .innerJoin('podcasts as p', 'p.id', 'told.podcast_id')
    .select(['p.id as podcastId', 'p.account_id as accountId', 'told.begun_at as begunAt'])
    .where(
      sql<boolean>`(p.id = any (${podcastIds}::uuid[]) or p.account_id = any (${accountIds}::uuid[]))`,
    )
    .orderBy('p.id')
    .execute();
}

/** Locks what a show's webhooks were told, so that only one process compares or adds webhooks. */
export async function lockToldShow(db: Db, podcastId: string): Promise<ToldShow | undefined> {
  return await db
    .selectFrom('webhook_shows')
    .select(['podcast_id as podcastId', 'hash', 'is_stale as isStale'])
    .select('has_stale_episodes as hasStaleEpisodes')
    .where('podcast_id', '=', podcastId)
    .forUpdate()
    .executeTakeFirst();
}

/** True if the show had no row yet. Locks the row. */
export async function insertToldShow(
  db: Db,
  { podcastId, hash, begunAt }: Pick<ToldShow, 'podcastId' | 'hash'> & { readonly begunAt: Date },
): Promise<boolean> {
  const { rows } = await sql<{ isNew: boolean }>`
    insert into webhook_shows (podcast_id, hash, begun_at) values (${podcastId}, ${hash}, ${begunAt})
    on conflict (podcast_id) do update set podcast_id = excluded.podcast_id
    returning xmax = 0 as "isNew"`.execute(db);
  return rows[0]?.isNew === true;
}

/** After the last webhook of a show. */
export async function deleteUntoldShow(db: Db, podcastId: string): Promise<void> {
  await sql`delete from webhook_shows told where podcast_id = ${podcastId}
    and not exists (select from webhooks hook where hook.podcast_id = told.podcast_id)`.execute(db);
}

export async function setShowHash(db: Db, podcastId: string, hash: Buffer): Promise<void> {
  await db.updateTable('webhook_shows').set({ hash }).where('podcast_id', '=', podcastId).execute();
}

/** Stores what is still to be compared: nothing, or some of the stale episodes. */
export async function setStaleShow(
  db: Db,
  podcastId: string,
  { hasStaleEpisodes }: Pick<ToldShow, 'hasStaleEpisodes'>,
): Promise<void> {
  await db
    .updateTable('webhook_shows')
    .set({ is_stale: false, has_stale_episodes: hasStaleEpisodes })
    .where('podcast_id', '=', podcastId)
    .execute();
}

/**
 * Tells of the episodes that are public without having been told, in the order of their publication.
 * Returns their ids. By episodes_public and webhook_episodes_pkey.
 */
export async function insertMissingEpisodes(
  db: Db,
  podcastId: string,
  now: Date,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with missing as (
      select e.id, e.public_from from episodes e
      where e.podcast_id = ${podcastId} and e.public_from <= ${now} and not exists (
        select from webhook_episodes told
        where told.podcast_id = e.podcast_id and told.episode_id = e.id)
    ), told as (
      insert into webhook_episodes (podcast_id, episode_id) select ${podcastId}, id from missing
    )
    select id from missing order by public_from, id`.execute(db);
  return rows.map(({ id }) => id);
}

/** The episodes that were told and are not public any more. Returns their ids. */
export async function deleteGoneEpisodes(db: Db, podcastId: string, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from webhook_episodes told
    where told.podcast_id = ${podcastId} and not exists (select from episodes e
      where e.id = told.episode_id and e.podcast_id = told.podcast_id and e.public_from <= ${now})
    returning told.episode_id as id`.execute(db);
  return rows.map(({ id }) => id).sort();
}

/** What was told of these episodes: their hashes, or null if those are not known. */
export async function selectToldEpisodes(
  db: Db,
  podcastId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Buffer | null>> {
  const rows = await db
    .selectFrom('webhook_episodes')
    .select(['episode_id as id', 'hash'])
    .where('podcast_id', '=', podcastId)
    .where(sql<boolean>`episode_id = any (${ids}::uuid[])`)
    .execute();
  return new Map(rows.map(({ id, hash }) => [id, hash]));
}

export async function upsertToldEpisode(
  db: Db,
  podcastId: string,
  episodeId: string,
  hash: Buffer,
): Promise<void> {
  await db
    .insertInto('webhook_episodes')
    .values({ podcast_id: podcastId, episode_id: episodeId, hash })
    .onConflict((conflict) =>
      conflict.columns(['podcast_id', 'episode_id']).doUpdateSet({ hash, is_stale: false }),
    )
    .execute();
}

export async function deleteToldEpisode(
  db: Db,
  podcastId: string,
  episodeId: string,
): Promise<void> {
  await db
    .deleteFrom('webhook_episodes')
    .where('podcast_id', '=', podcastId)
    .where('episode_id', '=', episodeId)
    .execute();
}

/** These episodes, or all, changed while the public could not see their show. */
export async function markStaleEpisodes(
  db: Db,
  podcastId: string,
  ids: readonly string[] | 'all',
): Promise<void> {
  await db
    .updateTable('webhook_episodes')
    .set({ is_stale: true })
    .where('podcast_id', '=', podcastId)
    .$if(ids !== 'all', (query) => query.where(sql<boolean>`episode_id = any (${ids}::uuid[])`))
    .execute();
}

/** By webhook_episodes_stale. */
export async function selectStaleEpisodes(
  db: Db,
  podcastId: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('webhook_episodes')
    .select('episode_id as id')
    .where('podcast_id', '=', podcastId)
    .where('is_stale', '=', true)
    .orderBy('episode_id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Shows of which something is to be compared or hashed. By webhook_shows_to_compare,
 * webhook_shows_unfinished and webhook_episodes_to_hash.
 */
export async function selectShowsToHash(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select podcast_id as id from webhook_shows where is_stale or hash is null
    union select podcast_id from webhook_shows where has_stale_episodes
    union select podcast_id from webhook_episodes where hash is null and not is_stale
    limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** By webhook_episodes_to_hash. */
export async function selectEpisodesToHash(
  db: Db,
  podcastId: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('webhook_episodes')
    .select('episode_id as id')
    .where('podcast_id', '=', podcastId)
    .where('hash', 'is', null)
    .where('is_stale', '=', false)
    .orderBy('episode_id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Whether a committed change of the show waits to be compared. The table is short: what all consumers
 * have read is deleted.
 */
export async function hasWaitingChange(db: Db, podcastId: string): Promise<boolean> {
  const { rows } = await sql<{ waits: boolean }>`
    select exists (select from change_events where podcast_id = ${podcastId}
      and (seq is null or seq > (select seq from change_consumers where name = ${consumer})))
      as waits`.execute(db);
  return rows[0]?.waits === true;
}
