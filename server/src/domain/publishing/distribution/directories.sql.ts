import type { Db } from '../../foundation/database.ts';
import type { Listing } from './directory.ts';

/** By the primary key. */
export function selectListings(db: Db, podcastId: string): Promise<Listing[]> {
  return db
    .selectFrom('podcast_directories')
    .select(['directory', 'status', 'url'])
    .where('podcast_id', '=', podcastId)
    .execute();
}

/** Replaces all. */
export async function replaceListings(
  db: Db,
  podcastId: string,
  listings: readonly Listing[],
  updatedAt: Date,
): Promise<void> {
  await db.deleteFrom('podcast_directories').where('podcast_id', '=', podcastId).execute();
  if (listings.length === 0) return;
  await db
    .insertInto('podcast_directories')
    .values(
      listings.map((listing) => ({ ...listing, podcast_id: podcastId, updated_at: updatedAt })),
    )
    .execute();
}
