import type { Db } from '../database.ts';
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
  const row = await db
    .insertInto('imports')
    .values({
      id: started.id,
      owner_id: started.ownerId,
      podcast_id: started.podcastId,
      source_url: started.sourceUrl,
      documents: JSON.stringify(started.documents),
      copy_audio: started.copyAudio,
      overwrite: started.overwrite,
      ignore_lock: started.ignoreLock,
      dry_run: started.dryRun,
      wanted_slug: started.wish.slug ?? null,
      into_slug: started.wish.into ?? null,
      creates_podcast: started.createsPodcast,
      ...(started.lease && leaseColumns(started.lease)),
      attempts: started.lease === null ? 0 : 1,
      progress: JSON.stringify(started.progress),
      warnings: JSON.stringify(started.warnings),
      created_at: started.createdAt,
      updated_at: started.createdAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
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
