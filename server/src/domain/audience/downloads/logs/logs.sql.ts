import { sql } from 'kysely';
import type { Db } from '../../../foundation/database.ts';
import type { MediaFile } from '../observed-request.ts';

/** An episode's present audio, with the facts that a line of a log needs. */
export interface LoggedAudio {
  readonly podcastId: string;
  readonly episodeId: string;
  readonly blobKey: string;
  readonly file: MediaFile;
}

/** Our copies, by episode or by key. One statement, by audio_files_pkey and audio_files_blob_key_key. */
export async function selectLoggedAudio(
  db: Db,
  episodeIds: readonly string[],
  blobKeys: readonly string[],
): Promise<LoggedAudio[]> {
  const { rows } = await sql<Omit<LoggedAudio, 'file'> & MediaFile>`
    select e.podcast_id as "podcastId", a.episode_id as "episodeId", a.blob_key as "blobKey",
      a.sha256 as hash, a.size_bytes as "sizeBytes", a.duration_ms as "durationMs",
      a.bitrate_bps as "bitrateBps", a.leading_tag_bytes as "leadingTagBytes"
    from audio_files a join episodes e on e.id = a.episode_id
    where a.blob_key is not null
      and (a.episode_id = any (${episodeIds}::uuid[]) or a.blob_key = any (${blobKeys}::text[]))`.execute(
    db,
  );
  return rows.map(({ podcastId, episodeId, blobKey, ...file }) => {
    return { podcastId, episodeId, blobKey, file };
  });
}

/** How far a log was read. */
export interface LogRow {
  readonly branch: number;
  readonly readBytes: number;
  readonly readHash: Buffer;
  readonly readLines: number;
  /** A day, `2026-11-22`. */
  readonly begunOn: string;
}

/** By download_logs_pkey. */
export function selectLogs(db: Db, head: Buffer): Promise<LogRow[]> {
  return db
    .selectFrom('download_logs')
    .select([
      'branch',
      'read_bytes as readBytes',
      'read_hash as readHash',
      'read_lines as readLines',
      'begun_on as begunOn',
    ])
    .where('head', '=', head)
    .orderBy('branch')
    .execute();
}

/**
 * Moves a log's position by the bytes after `expectedBytes`. False: another process has moved it.
 */
export async function updateLog(
  db: Db,
  head: Buffer,
  { branch, readBytes, readHash, readLines }: Omit<LogRow, 'begunOn'>,
  { expectedBytes, now }: { readonly expectedBytes: number; readonly now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('download_logs')
    .set({ read_bytes: readBytes, read_hash: readHash, read_lines: readLines, read_at: now })
    .where('head', '=', head)
    .where('branch', '=', branch)
    .where('read_bytes', '=', expectedBytes)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** False: another process has begun to read a log with this beginning. */
export async function insertLog(db: Db, head: Buffer, row: LogRow, now: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('download_logs')
    .values({
      head,
      branch: row.branch,
      read_bytes: row.readBytes,
      read_hash: row.readHash,
      read_lines: row.readLines,
      begun_on: row.begunOn,
      read_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}
