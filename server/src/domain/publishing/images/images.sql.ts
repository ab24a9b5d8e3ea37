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

/**
 * The podcast's picture with these bytes: a new one, or an earlier copy, which counts as new again,
 * because it is about to be named.
 */
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
        created_at: eb.ref('excluded.created_at'),
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

/** How long a picture stays that nothing names. */
export const keptUnnamedMs = 48 * 3_600_000;

/**
 * One that names the picture `i`; null: nothing does. By podcasts_by_artwork,
 * podcasts_by_header_image, episodes_artwork and people_photo: for `exists`, the planner might
 * read a whole table once for all pictures.
 */
const namedBy = sql`coalesce(
  (select p.id from podcasts p where p.artwork_id = i.id limit 1),
  (select p.id from podcasts p where p.header_image_id = i.id limit 1),
  (select e.id from episodes e where e.artwork_id = i.id limit 1),
  (select person.id from people person where person.photo_id = i.id limit 1))`;

/** Pictures in the order of their ids, by images_pkey. */
export async function selectImagesAfter(
  db: Db,
  {
    after,
    before,
    limit,
  }: { readonly after: string; readonly before: Date; readonly limit: number },
): Promise<{ readonly id: string; readonly isUnnamed: boolean }[]> {
  const { rows } = await sql<{ id: string; isUnnamed: boolean }>`
    select i.id, i.created_at < ${before} and ${namedBy} is null as "isUnnamed"
    from images i where i.id > ${after} order by i.id limit ${limit}`.execute(db);
  return rows;
}

/** Locks what the deletion of these pictures changes, in the order of the podcasts. */
export async function lockImageSums(db: Db, ids: readonly string[]): Promise<void> {
  await sql`select from podcast_storage
    where podcast_id in (select podcast_id from images where id = any (${ids}::uuid[]))
    order by podcast_id for no key update`.execute(db);
}

/** Those of these pictures that are as old, and that nobody else has locked. */
export async function lockImagesBefore(
  db: Db,
  ids: readonly string[],
  before: Date,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from images where id = any (${ids}::uuid[]) and created_at < ${before}
    order by id for update skip locked`.execute(db);
  return rows.map(({ id }) => id);
}

export async function deleteUnnamedImages(db: Db, ids: readonly string[]): Promise<void> {
  await sql`delete from images i
    where i.id = any (${ids}::uuid[]) and ${namedBy} is null`.execute(db);
}

/**
 * Makes the picture that was fetched from this address new again if nothing names it, so that it
 * stays until somebody does; by images_by_source. Named ones are left alone: an import reads all
 * of a show's.
 */
export async function renewUnnamedImage(
  db: Db,
  podcastId: string,
  sourceUrl: string,
  now: Date,
): Promise<void> {
  const halfway = new Date(now.getTime() - keptUnnamedMs / 2);
  await sql`update images i set created_at = ${now}
    where i.podcast_id = ${podcastId} and i.source_url = ${sourceUrl}
      and i.created_at < ${halfway} and ${namedBy} is null`.execute(db);
}
