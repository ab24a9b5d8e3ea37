import { type InsertObject, sql } from 'kysely';
import { episodeFields } from '../../../lib/fields/episode-fields.ts';
import { columnsOf, type Db, type Tables, toRowOfLists } from '../../foundation/database.ts';
import type { EpisodeStatus } from '../../foundation/enumerations.ts';
import type { Episode, EpisodeFields, EpisodeSource } from './episode.ts';

const episodeColumns = columnsOf('episodes', [
  ...Object.keys(episodeFields),
  ...['guidIsPermalink', 'extraElements', 'showNotes', 'numberGiven', 'id', 'podcastId', 'status'],
  ...['publishedAt', 'intendedPublishedAt', 'scheduledFor', 'mediaName', 'artworkId', 'createdAt'],
  'revision',
]);

const sourceColumns = (source: EpisodeSource) => ({
  source_key: source.key,
  source_guid: source.guid,
  source_enclosure_url: source.enclosureUrl,
  source_guid_sha256: source.guidSha256,
  source_enclosure_sha256: source.enclosureSha256,
});

export async function insertEpisode(
  db: Db,
  episode: Episode,
  origin: { guid: string | undefined; source: EpisodeSource | undefined; now: Date },
): Promise<void> {
  const { guid: _, ...fields } = episode;
  const { guid, source, now } = origin;
  await db
    .insertInto('episodes')
    .values({
      ...(toRowOfLists(fields) as InsertObject<Tables, 'episodes'>),
      ...(source && sourceColumns(source)),
      guid: guid ?? null,
      status_changed_at: now,
      updated_at: now,
    })
    .execute();
}

export async function updateEpisodeColumns(
  db: Db,
  episodeId: string,
  fields: Partial<EpisodeFields> & {
    showNotes?: string | null;
    artworkId?: string | null;
    guid?: string | null;
    numberGiven?: boolean;
  },
  updatedAt: Date,
): Promise<void> {
  await db
    .updateTable('episodes')
    .set({ ...toRowOfLists(fields), updated_at: updatedAt })
    .where('id', '=', episodeId)
    .execute();
}

/** Updates where an import found the item and its key there; both may change with the feed. */
export async function updateEpisodeSource(
  db: Db,
  episodeId: string,
  source: EpisodeSource,
): Promise<void> {
  await db.updateTable('episodes').set(sourceColumns(source)).where('id', '=', episodeId).execute();
}

/**
 * Changes the status. If that moves the episode in its members' list, the show counts the move. The
 * show's row stays locked until the transaction ends, so that moves are numbered in the order of
 * their commits.
 */
export async function updateEpisodeStatus(
  db: Db,
  episodeId: string,
  state: {
    status: EpisodeStatus;
    publishedAt: Date | null;
    scheduledFor: Date | null;
    now: Date;
  },
): Promise<void> {
  const { status, publishedAt, scheduledFor, now } = state;
  const place = status === 'scheduled' ? scheduledFor : publishedAt;
  await sql`
    with move as (
      update podcasts p set episode_moves = p.episode_moves + 1
      from episodes e
      where e.id = ${episodeId} and p.id = e.podcast_id
        and e.listed_at <> coalesce(${place}::timestamptz(3), e.created_at)
      returning p.episode_moves)
    update episodes set status = ${status}, published_at = ${publishedAt},
      scheduled_for = ${scheduledFor}, status_changed_at = ${now}, updated_at = ${now},
      last_move = coalesce((select episode_moves from move), last_move)
    where id = ${episodeId}`.execute(db);
}

const selectEpisodes = (db: Db) =>
  db
    .selectFrom('episodes')
    .select([...episodeColumns, sql<string>`coalesce(guid, id::text)`.as('guid')])
    .$castTo<Episode>();

/** Returns the episode as stored; callers apply a due schedule (`asOf`). By the primary key. */
export function selectEpisode(db: Db, episodeId: string): Promise<Episode | undefined> {
  return selectEpisodes(db).where('id', '=', episodeId).executeTakeFirst();
}

/** Like `selectEpisode`, and locks the row until the transaction ends. */
export function lockEpisode(db: Db, episodeId: string): Promise<Episode | undefined> {
  return selectEpisodes(db).where('id', '=', episodeId).forUpdate().executeTakeFirst();
}

/** By audio_files_pkey. */
export async function selectHasAudio(db: Db, episodeId: string): Promise<boolean> {
  const query = db.selectFrom('audio_files').select('episode_id');
  return (await query.where('episode_id', '=', episodeId).executeTakeFirst()) !== undefined;
}

/** Undefined without audio; null if it is not known. By audio_files_pkey. */
export async function selectDurationMs(
  db: Db,
  episodeId: string,
): Promise<number | null | undefined> {
  const query = db.selectFrom('audio_files').select('duration_ms as durationMs');
  return (await query.where('episode_id', '=', episodeId).executeTakeFirst())?.durationMs;
}

/** Those of these ids that are the podcast's. By episodes_pkey. */
export async function selectIdsOfPodcast(
  db: Db,
  podcastId: string,
  ids: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from episodes
    where id = any(${ids}::uuid[]) and podcast_id = ${podcastId}`.execute(db);
  return rows.map(({ id }) => id);
}

/** By episodes_number: one row of the index. */
export async function selectNextEpisodeNumber(db: Db, podcastId: string): Promise<number> {
  const row = await db
    .selectFrom('episodes')
    .select(sql<number>`coalesce(max(episode_number), 0) + 1`.as('next'))
    .where('podcast_id', '=', podcastId)
    .executeTakeFirstOrThrow();
  return row.next;
}

/** All that the episode ever had; by episode_slugs_of_episode. */
export async function countEpisodeSlugs(db: Db, episodeId: string): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int as count from episode_slugs where episode_id = ${episodeId}`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * Gives the episode the slug, and remembers it among its slugs. Returns false if it is or was the
 * slug of another episode of the podcast. The primary key decides.
 */
export async function claimEpisodeSlug(
  db: Db,
  episode: { id: string; podcastId: string; slug: string },
  now: Date,
): Promise<boolean> {
  const claimed = await db
    .insertInto('episode_slugs')
    .values({
      podcast_id: episode.podcastId,
      slug: episode.slug,
      episode_id: episode.id,
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['podcast_id', 'slug'])
        .doUpdateSet({ episode_id: episode.id })
        .where('episode_slugs.episode_id', '=', episode.id),
    )
    .returning('slug')
    .executeTakeFirst();
  if (claimed === undefined) return false;
  await db
    .updateTable('episodes')
    .set({ slug: episode.slug })
    .where('id', '=', episode.id)
    .execute();
  return true;
}

/** Deletes the episode, and keeps what a feed would call it, so that no import brings it back. */
export async function deleteEpisodeRow(db: Db, episodeId: string, now: Date): Promise<void> {
  await sql`
    with deleted as (
      delete from episodes where id = ${episodeId}
      returning podcast_id, id, coalesce(guid, id::text), source_key, source_enclosure_sha256
    )
    insert into deleted_episodes
      (podcast_id, episode_id, guid, source_key, source_enclosure_sha256, deleted_at)
    select deleted.*, ${now}::timestamptz from deleted`.execute(db);
}

/**
 * Deletes some of the podcast's episodes with all that belongs to them; returns how many. At least
 * one, and no more when their transcripts have so many bytes. By episodes_listed and primary keys.
 */
export async function deleteEpisodesOfPodcast(
  db: Db,
  podcastId: string,
  most: { readonly episodes: number; readonly bytes: number },
): Promise<number> {
  const newestFirst = sql`order by e.listed_at desc, e.id desc`;
  const { numAffectedRows } = await sql`
    delete from episodes where id in (
      select id from (
        select e.id, sum(e.bytes) over (
          ${newestFirst} rows between unbounded preceding and 1 preceding) as bytes_before
        from (
          select e.id, e.listed_at,
            coalesce((select text_bytes from transcripts where episode_id = e.id), 0)
            + (select coalesce(sum(text_bytes), 0) from further_transcripts
              where episode_id = e.id) as bytes
          from episodes e where e.podcast_id = ${podcastId}
          ${newestFirst} limit ${most.episodes}) e) e
      where coalesce(bytes_before, 0) < ${most.bytes})`.execute(db);
  return Number(numAffectedRows);
}
