import type { Db } from '../database.ts';

/** Our own copy (`blobKey`), or until there is one where the audio stands elsewhere. */
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
  readonly sourceUrl: string | null;
}

export async function upsertAudio(db: Db, audio: AudioRow, updatedAt: Date): Promise<void> {
  const columns = {
    blob_key: audio.blobKey,
    source_url: audio.sourceUrl,
    content_type: audio.contentType,
    extension: audio.extension,
    size_bytes: audio.sizeBytes,
    duration_ms: audio.durationMs,
    sha256: audio.sha256,
    bitrate_bps: audio.bitrateBps,
    leading_tag_bytes: audio.leadingTagBytes,
    updated_at: updatedAt,
  };
  await db
    .insertInto('audio_files')
    .values({ episode_id: audio.episodeId, ...columns })
    .onConflict((conflict) => conflict.column('episode_id').doUpdateSet(columns))
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

/** The id under which the podcast keeps these bytes: a new one, or that of an earlier copy. */
export async function insertImage(db: Db, image: ImageRow, createdAt: Date): Promise<string> {
  const row = await db
    .insertInto('images')
    .values({
      id: image.id,
      podcast_id: image.podcastId,
      content_type: image.contentType as 'image/jpeg' | 'image/png',
      width: image.width,
      height: image.height,
      size_bytes: image.sizeBytes,
      sha256: image.sha256,
      source_url: image.sourceUrl,
      created_at: createdAt,
    })
    .onConflict((conflict) =>
      conflict.columns(['podcast_id', 'sha256']).doUpdateSet((eb) => ({
        source_url: eb.fn.coalesce('images.source_url', 'excluded.source_url'),
      })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** By images_podcast_id_sha256_key. */
export async function selectImageByContent(
  db: Db,
  podcastId: string,
  sha256: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('images')
    .select('id')
    .where('podcast_id', '=', podcastId)
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  return row?.id;
}

/** By images_by_source: a picture fetched before need not be fetched again. */
export async function selectImageBySource(
  db: Db,
  podcastId: string,
  sourceUrl: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('images')
    .select('id')
    .where('podcast_id', '=', podcastId)
    .where('source_url', '=', sourceUrl)
    .executeTakeFirst();
  return row?.id;
}
