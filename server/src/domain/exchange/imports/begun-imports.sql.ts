import { type Db, toRow } from '../../foundation/database.ts';
import type { Import, ImportHolder } from './import.ts';
import { isHeldBy, leaseColumns } from './imports.sql.ts';

type NewImport = Pick<
  Import,
  | 'id'
  | 'ownerId'
  | 'podcastId'
  | 'sourceUrl'
  | 'documents'
  | 'copyAudio'
  | 'overwrite'
  | 'ignoreLock'
  | 'dryRun'
  | 'wish'
  | 'createsPodcast'
  | 'lease'
  | 'progress'
  | 'warnings'
  | 'createdAt'
>;

/** Returns false if another import of the podcast is running: by imports_one_running. */
export async function insertImport(db: Db, started: NewImport): Promise<boolean> {
  const { documents, wish, lease, progress, warnings, ...row } = started;
  const inserted = await db
    .insertInto('imports')
    .values({
      ...toRow({ ...row, wantedSlug: wish.slug, intoSlug: wish.into, updatedAt: row.createdAt }),
      ...(lease && leaseColumns(lease)),
      attempts: lease === null ? 0 : 1,
      documents: JSON.stringify(documents),
      progress: JSON.stringify(progress),
      warnings: JSON.stringify(warnings),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/**
 * Sets the feed and podcast of a requested import. Returns false if the claim is lost; violates
 * imports_one_running if another import of the podcast is running.
 */
export async function attachFeed(
  db: Db,
  id: string,
  holder: ImportHolder,
  feed: Pick<Import, 'podcastId' | 'sourceUrl' | 'documents' | 'createsPodcast' | 'warnings'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('imports')
    .set({
      podcast_id: feed.podcastId,
      source_url: feed.sourceUrl,
      documents: JSON.stringify(feed.documents),
      creates_podcast: feed.createsPodcast,
      warnings: JSON.stringify(feed.warnings),
    })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .where(isHeldBy(holder))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
