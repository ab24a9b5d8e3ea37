import { sql } from 'kysely';
import { type Db, toRow } from '../../foundation/database.ts';

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

/** The ids that belong to our pictures; by the primary key. */
export async function selectKnownImageIds(db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('images')
    .select('id')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
  return rows.map(({ id }) => id);
}
