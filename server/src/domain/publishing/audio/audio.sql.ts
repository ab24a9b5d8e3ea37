import { sql } from 'kysely';
import { type Db, toRow } from '../../foundation/database.ts';

/** Our own copy (`blobKey`), or until there is one, the address of the audio elsewhere. */
export interface AudioRow {
  readonly episodeId: string;
  readonly blobKey: string | null;
  readonly sourceUrl: string | null;
  readonly contentType: string;
  readonly extension: string;
  readonly sizeBytes: number | null;
  readonly durationMs: number | null;
  readonly sha256: string | null;
  readonly bitrateBps: number | null;
  readonly leadingTagBytes: number;
}

export async function upsertAudio(db: Db, audio: AudioRow, updatedAt: Date): Promise<void> {
  const row = toRow({ ...audio, updatedAt });
  await db
    .insertInto('audio_files')
    .values(row)
    .onConflict((conflict) => conflict.column('episode_id').doUpdateSet(row))
    .execute();
}

/** By audio_files_pkey. */
export function selectAudio(db: Db, episodeId: string): Promise<AudioRow | undefined> {
  return db
    .selectFrom('audio_files')
    .select([
      'episode_id as episodeId',
      'blob_key as blobKey',
      'source_url as sourceUrl',
      'content_type as contentType',
      'extension',
      'size_bytes as sizeBytes',
      'duration_ms as durationMs',
      'sha256',
      'bitrate_bps as bitrateBps',
      'leading_tag_bytes as leadingTagBytes',
    ])
    .where('episode_id', '=', episodeId)
    .executeTakeFirst();
}

export async function deleteAudioRow(db: Db, episodeId: string): Promise<void> {
  await db.deleteFrom('audio_files').where('episode_id', '=', episodeId).execute();
}

/**
 * The keys that belong to an episode's audio, or to proposed audio; by audio_files_blob_key_key and
 * audio_replacements_blob_key_key.
 */
export async function selectKnownAudioKeys(db: Db, keys: readonly string[]): Promise<string[]> {
  const isKnown = sql<boolean>`blob_key = any(${keys}::text[])`;
  const rows = await db
    .selectFrom('audio_files')
    .select('blob_key as blobKey')
    .where(isKnown)
    .unionAll(db.selectFrom('audio_replacements').select('blob_key as blobKey').where(isKnown))
    .execute();
  return rows.flatMap(({ blobKey }) => (blobKey === null ? [] : [blobKey]));
}
