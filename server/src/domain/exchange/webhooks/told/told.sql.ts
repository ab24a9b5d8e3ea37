import { sql } from 'kysely';
import type { Db } from '../../../foundation/database.ts';
import { consumer } from './consumer.ts';

/** What is to be compared of a show. */
export interface Noted {
  /** Stale episodes. */
  readonly hasStaleEpisodes: boolean;
  /** The show itself. */
  readonly hasChanged: boolean;
  /** Which of its episodes are public. */
  readonly hasPublications: boolean;
  /** How many imports have ended that nobody was told of. */
  readonly imports: number;
}

/** What the webhooks of a show have been told of it. */
export interface ToldShow extends Noted {
  readonly podcastId: string;
  /** Null: not known. */
  readonly hash: Buffer | null;
  /** Everything is to be compared. */
  readonly isStale: boolean;
}

/** Locks what a show's webhooks were told, so that only one process compares or adds webhooks. */
export async function lockToldShow(db: Db, podcastId: string): Promise<ToldShow | undefined> {
  return await db
    .selectFrom('webhook_shows')
    .select(['podcast_id as podcastId', 'hash', 'imports', 'is_stale as isStale'])
    .select(['has_stale_episodes as hasStaleEpisodes', 'has_changed as hasChanged'])
    .select('has_publications as hasPublications')
    .where('podcast_id', '=', podcastId)
    .forUpdate()
    .executeTakeFirst();
}

/** Locks the row of the show, which may exist. */
export async function insertToldShow(
  db: Db,
  { podcastId, hash, begunAt }: Pick<ToldShow, 'podcastId' | 'hash'> & { readonly begunAt: Date },
): Promise<void> {
  await sql`
    insert into webhook_shows (podcast_id, hash, begun_at) values (${podcastId}, ${hash}, ${begunAt})
    on conflict (podcast_id) do update set podcast_id = excluded.podcast_id`.execute(db);
}

/** After the last webhook of a show. */
export async function deleteUntoldShow(db: Db, podcastId: string): Promise<void> {
  await sql`delete from webhook_shows told where podcast_id = ${podcastId}
    and not exists (select from webhooks hook where hook.podcast_id = told.podcast_id)`.execute(db);
}

export async function setShowHash(db: Db, podcastId: string, hash: Buffer): Promise<void> {
  await db.updateTable('webhook_shows').set({ hash }).where('podcast_id', '=', podcastId).execute();
}

/** Stores what is still to be compared; `compareAt`: not before this. */
export async function setNoted(
  db: Db,
  podcastId: string,
  noted: Noted & { readonly compareAt: Date | null },
): Promise<void> {
  const { hasStaleEpisodes, hasChanged, hasPublications, imports, compareAt } = noted;
  await db
    .updateTable('webhook_shows')
    .set({ is_stale: false, has_stale_episodes: hasStaleEpisodes, has_changed: hasChanged })
    .set({ has_publications: hasPublications, imports, compare_at: compareAt })
    .where('podcast_id', '=', podcastId)
    .execute();
}

/**
 * At the end of a subquery: it is run for each row. As a join, a show that has just got very many rows
 * would be planned as if it had few, and each of its rows compared with each other.
 */
const lookedUp = sql`offset 0`;

/**
 * Remembers episodes that are public without having been told, at most `limit`, in the order of their
 * publication. Returns their ids. By episodes_public and webhook_episodes_pkey.
 */
export async function insertMissingEpisodes(
  db: Db,
  podcastId: string,
  now: Date,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with missing as (
      select e.id, e.public_from from episodes e
      where e.podcast_id = ${podcastId} and e.public_from <= ${now} and not exists (
        select from webhook_episodes told
        where told.podcast_id = e.podcast_id and told.episode_id = e.id ${lookedUp})
      order by e.public_from, e.id limit ${limit}
    ), told as (
      insert into webhook_episodes (podcast_id, episode_id) select ${podcastId}, id from missing
    )
    select id from missing order by public_from, id`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Forgets episodes that were told and are not public any more, at most `limit`. Returns their ids. By
 * webhook_episodes_pkey and episodes_pkey.
 */
export async function deleteGoneEpisodes(
  db: Db,
  podcastId: string,
  now: Date,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from webhook_episodes where podcast_id = ${podcastId} and episode_id = any (array(
      select told.episode_id from webhook_episodes told
      where told.podcast_id = ${podcastId} and not exists (select from episodes e
        where e.id = told.episode_id and e.podcast_id = told.podcast_id and e.public_from <= ${now}
        ${lookedUp})
      limit ${limit}))
    returning episode_id as id`.execute(db);
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

/** Marks more of the show's episodes as stale, at most `limit`; returns their number. */
export async function markStaleEpisodes(db: Db, podcastId: string, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update webhook_episodes set is_stale = true
    where podcast_id = ${podcastId} and episode_id = any (array(
      select episode_id from webhook_episodes where podcast_id = ${podcastId} and not is_stale
      order by episode_id limit ${limit}))`.execute(db);
  return Number(numAffectedRows);
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
