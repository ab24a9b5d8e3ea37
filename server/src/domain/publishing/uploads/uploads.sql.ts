import { sql } from 'kysely';
import type { BlobProgress } from '../../../platform/blob-store/partial-blobs.ts';
import type { ProcessIdentity } from '../../../platform/database/process-identity.ts';
import { type Db, toRow } from '../../foundation/database.ts';
import { promisedBytes, silentExpiry, type Upload, type UploadMetadata } from './upload.ts';

/** Identifies a request of a process. */
export interface Writer extends ProcessIdentity {
  readonly run: string;
}

const columns = [
  'id',
  'user_id as userId',
  'purpose',
  'podcast_id as podcastId',
  'episode_id as episodeId',
  'filename',
  'size_bytes as sizeBytes',
  'sha256',
  sql.ref<UploadMetadata>('metadata').as('metadata'),
  'received_bytes as receivedBytes',
  'store_state as storeState',
  'completed_at as completedAt',
  'used_at as usedAt',
  'created_at as createdAt',
  'expires_at as expiresAt',
] as const;

const isWrittenBy = (writer: Writer) => sql<boolean>`writer = ${JSON.stringify(writer)}::jsonb`;

export async function insertUpload(
  db: Db,
  upload: Omit<Upload, 'receivedBytes' | 'completedAt' | 'usedAt'>,
): Promise<void> {
  const metadata = JSON.stringify(upload.metadata);
  await db
    .insertInto('uploads')
    .values(toRow({ ...upload, metadata }))
    .execute();
}

/** The number and size of a user's unused uploads; by uploads_of_user. */
export async function sumUploads(
  db: Db,
  userId: string,
): Promise<{ readonly count: number; readonly bytes: number }> {
  const sums = await db
    .selectFrom('uploads')
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      eb.fn.coalesce(eb.fn.sum<number>('size_bytes'), sql<number>`0`).as('bytes'),
    ])
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return { count: Number(sums.count), bytes: Number(sums.bytes) };
}

/** Lets one upload at a time ask for room, until the transaction ends. */
export async function lockRoom(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('room for uploads', 0))`.execute(db);
}

/**
 * What all uploads are promised of the disk, whichever process receives them: each as much again as it
 * has sent, and at least `promisedBytes`, up to its size; by uploads_expired.
 */
export async function sumPromised(db: Db, now: Date): Promise<number> {
  const { bytes } = await db
    .selectFrom('uploads')
    .select(
      sql<number>`coalesce(sum(least(
      size_bytes - received_bytes, greatest(received_bytes, ${promisedBytes})
    )), 0)::bigint`.as('bytes'),
    )
    .where('completed_at', 'is', null)
    .where('expires_at', '>', silentExpiry(now))
    .executeTakeFirstOrThrow();
  return bytes;
}

/** By the primary key. */
export function selectUpload(db: Db, id: string, userId: string): Promise<Upload | undefined> {
  return db
    .selectFrom('uploads')
    .select(columns)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** A user's unused uploads, newest first; by uploads_of_user. */
export function selectUploadsOfUser(db: Db, userId: string): Promise<Upload[]> {
  return db
    .selectFrom('uploads')
    .select(columns)
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** The next ones that follow `after`; by uploads_expired. */
export async function selectExpiredUploads(
  db: Db,
  now: Date,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('uploads')
    .select('id')
    .where('expires_at', '<=', now)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** The ids of these that exist; by the primary key. */
export async function selectKnownUploadIds(db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('uploads')
    .select('id')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
  return rows.map(({ id }) => id);
}

export interface WriterClaim {
  readonly writer: Writer;
  readonly until: Date;
  readonly now: Date;
  /** A claim until after this is from before the clock was set back. */
  readonly latest: Date;
}

/**
 * Makes this the writer if there is none or if its claim has expired. `dead` is a writer that is
 * known to have died.
 */
export function claimUpload(
  db: Db,
  id: string,
  { writer, until, now, latest }: WriterClaim,
  dead?: Writer,
): Promise<Upload | undefined> {
  return db
    .updateTable('uploads')
    .set({ writer: JSON.stringify(writer), writer_until: until, writer_awaited: false })
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('writer', 'is', null),
        eb('writer_until', '<=', now),
        eb('writer_until', '>', latest),
        ...(dead === undefined ? [] : [isWrittenBy(dead)]),
      ]),
    )
    .returning(columns)
    .executeTakeFirst();
}

/** Asks the present writer to end, once. Null: there is none; undefined: no such upload. */
export async function awaitWriter(db: Db, id: string): Promise<Writer | null | undefined> {
  const { rows } = await sql<{ readonly writer: Writer | null }>`
    with told as (
      update uploads set writer_awaited = true
      where id = ${id} and writer is not null and not writer_awaited
    )
    select writer from uploads where id = ${id}`.execute(db);
  return rows[0]?.writer;
}

/** Undefined: it is no longer the writer. Otherwise whether another request waits for it to end. */
export async function renewWriter(
  db: Db,
  id: string,
  { writer, until }: Pick<WriterClaim, 'writer' | 'until'>,
): Promise<{ readonly isAwaited: boolean } | undefined> {
  const row = await db
    .updateTable('uploads')
    .set({ writer_until: until })
    .where('id', '=', id)
    .where(isWrittenBy(writer))
    .returning('writer_awaited as isAwaited')
    .executeTakeFirst();
  return row;
}

export async function releaseWriter(db: Db, id: string, writer: Writer): Promise<void> {
  await db
    .updateTable('uploads')
    .set({ writer: null, writer_until: null, writer_awaited: false })
    .where('id', '=', id)
    .where(isWrittenBy(writer))
    .execute();
}

/** Undefined: another request has become the writer, or the upload is gone. */
export function updateReceived(
  db: Db,
  id: string,
  writer: Writer,
  { progress, expiresAt }: { readonly progress: BlobProgress; readonly expiresAt: Date },
): Promise<Upload | undefined> {
  return db
    .updateTable('uploads')
    .set({
      received_bytes: progress.sizeBytes,
      store_state: progress.state,
      expires_at: expiresAt,
    })
    .where('id', '=', id)
    .where(isWrittenBy(writer))
    .returning(columns)
    .executeTakeFirst();
}

export async function updateCompleted(db: Db, id: string, now: Date): Promise<void> {
  await db.updateTable('uploads').set({ completed_at: now }).where('id', '=', id).execute();
}

/** False: it was used before, or is gone. */
export async function updateUsed(
  db: Db,
  id: string,
  { now, expiresAt }: { readonly now: Date; readonly expiresAt: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('uploads')
    .set({ used_at: now, expires_at: expiresAt })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function deleteUpload(db: Db, id: string): Promise<void> {
  await db.deleteFrom('uploads').where('id', '=', id).execute();
}
