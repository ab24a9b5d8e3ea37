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

interface LogHold {
  readonly modifiedAt: Date | null;
  /** When a process first held this log; null: unknown. */
  readonly firstHeldAt: Date | null;
}

/**
 * Holds the log for this process, or renews its hold. Undefined: another process holds it. By the
 * clock of the database, which all share.
 */
export async function claimLog(
  db: Db,
  name: string,
  holder: string,
  forMs: number,
): Promise<LogHold | undefined> {
  const { rows } = await sql<LogHold>`
    insert into followed_logs as kept (name, holder, held_until, first_held_at)
    values (${name}, ${holder}, clock_timestamp() + ${forMs} * interval '1 millisecond',
      clock_timestamp())
    on conflict (name) do update set holder = excluded.holder, held_until = excluded.held_until
      where kept.holder = excluded.holder or kept.holder is null
        or kept.held_until < clock_timestamp()
    returning modified_at as "modifiedAt", first_held_at as "firstHeldAt"`.execute(db);
  return rows[0];
}

export async function releaseLog(db: Db, name: string, holder: string): Promise<void> {
  await db
    .updateTable('followed_logs')
    .set({ holder: null })
    .where('name', '=', name)
    .where('holder', '=', holder)
    .execute();
}

/** Records that the holder has counted all lines in the log up to `completeUntil`. */
export async function recordLogRead(
  db: Db,
  read: {
    readonly name: string;
    readonly holder: string;
    readonly modifiedAt: Date | null;
    readonly completeUntil: Date;
  },
): Promise<void> {
  await sql`
    with held as (
      update followed_logs set modified_at = ${read.modifiedAt}
      where name = ${read.name} and holder = ${read.holder}
      returning name
    )
    insert into download_writers (id, complete_until)
    select 'log:' || name, ${read.completeUntil} from held
    on conflict (id) do update set complete_until = excluded.complete_until`.execute(db);
}

/**
 * Deletes the logs of this machine that nobody follows any more, except `name`. They contain
 * nothing to count, so figures are complete without them.
 */
export async function deleteOtherLogs(
  db: Db,
  { host, name }: { readonly host: string; readonly name: string | undefined },
): Promise<void> {
  await sql`
    with gone as (
      delete from followed_logs
      where starts_with(name, ${`${host}:`}) and name is distinct from ${name ?? null}::text
        and (holder is null or held_until < clock_timestamp())
      returning name
    )
    delete from download_writers where id in (select 'log:' || name from gone)`.execute(db);
}

/**
 * Deletes how far logs are counted that nobody follows, and that were last counted before this
 * moment: their machines are gone, or have another name now, as a new container has. Otherwise no
 * later day would ever be complete.
 */
export async function deleteLostLogs(db: Db, before: Date): Promise<void> {
  await sql`
    delete from download_writers writer
    where id like 'log:%' and complete_until < ${before} and not exists (
      select from followed_logs kept
      where 'log:' || kept.name = writer.id and holder is not null
        and held_until >= clock_timestamp())`.execute(db);
}
