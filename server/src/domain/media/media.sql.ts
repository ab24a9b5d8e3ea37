import { sql } from 'kysely';
import { type Db, toRow } from '../database.ts';

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

export interface ImageRow {
  readonly id: string;
  readonly podcastId: string;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly color: string | null;
  readonly sourceUrl: string | null;
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

/** The podcast's picture with these bytes: a new one, or an earlier copy. */
export async function insertImage(
  db: Db,
  image: ImageRow,
  createdAt: Date,
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  const row = await db
    .insertInto('images')
    .values(toRow({ ...image, createdAt }))
    .onConflict((conflict) =>
      conflict.columns(['podcast_id', 'sha256']).doUpdateSet((eb) => ({
        source_url: eb.fn.coalesce('images.source_url', 'excluded.source_url'),
        color: eb.ref('excluded.color'),
      })),
    )
    .returning(['id', sql<boolean>`xmax = 0`.as('isNew')])
    .executeTakeFirstOrThrow();
  return row;
}

/**
 * The image with this content (by images_podcast_id_sha256_key), or the one that was fetched from
 * this address (by images_by_source).
 */
export async function selectImageId(
  db: Db,
  podcastId: string,
  by: { readonly sha256: string } | { readonly source_url: string },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('images')
    .select('id')
    .where((images) => images.and({ podcast_id: podcastId, ...by }))
    .executeTakeFirst();
  return row?.id;
}

export async function deleteAudioRow(db: Db, episodeId: string): Promise<void> {
  await db.deleteFrom('audio_files').where('episode_id', '=', episodeId).execute();
}

/** By the primary key. */
export function selectImage(
  db: Db,
  imageId: string,
): Promise<Pick<ImageRow, 'id' | 'contentType' | 'width' | 'height'> | undefined> {
  return db
    .selectFrom('images')
    .select(['id', 'content_type as contentType', 'width', 'height'])
    .where('id', '=', imageId)
    .executeTakeFirst();
}

export type MemberImageRow = Pick<ImageRow, 'id' | 'podcastId' | 'contentType' | 'sha256'>;

/** By the primary key. */
export function selectMemberImage(db: Db, imageId: string): Promise<MemberImageRow | undefined> {
  return db
    .selectFrom('images')
    .select(['id', 'podcast_id as podcastId', 'content_type as contentType', 'sha256'])
    .where('id', '=', imageId)
    .executeTakeFirst();
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

/** The ids that belong to our pictures; by the primary key. */
export async function selectKnownImageIds(db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('images')
    .select('id')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
  return rows.map(({ id }) => id);
}
