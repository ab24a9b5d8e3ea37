import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { Import, ImportHolder, ImportLease, ImportState, StoredDocument } from './import.ts';
import type { ImportProgress, ImportReport, ImportWarning } from './import-report.ts';

export async function insertImport(
  db: Db,
  started: Pick<
    Import,
    | 'id'
    | 'ownerId'
    | 'sourceUrl'
    | 'documents'
    | 'copyAudio'
    | 'createsPodcast'
    | 'progress'
    | 'warnings'
  > & { readonly podcastId: string; readonly lease: ImportLease; readonly createdAt: Date },
): Promise<boolean> {
  const row = await db
    .insertInto('imports')
    .values({
      id: started.id,
      owner_id: started.ownerId,
      podcast_id: started.podcastId,
      source_url: started.sourceUrl,
      documents: JSON.stringify(started.documents),
      copy_audio: started.copyAudio,
      creates_podcast: started.createsPodcast,
      ...leaseColumns(started.lease),
      attempts: 1,
      progress: JSON.stringify(started.progress),
      warnings: JSON.stringify(started.warnings),
      created_at: started.createdAt,
      updated_at: started.createdAt,
    })
    // imports_one_running
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** By the primary key. */
export async function selectImport(db: Db, id: string): Promise<Import | undefined> {
  const row = await selectImports(db).where('id', '=', id).executeTakeFirst();
  return row && toImport(row);
}

/** By imports_one_running. */
export async function selectRunningImportOf(
  db: Db,
  podcastId: string,
): Promise<Import | undefined> {
  const row = await selectImports(db)
    .where('podcast_id', '=', podcastId)
    .where('state', '=', 'running')
    .executeTakeFirst();
  return row && toImport(row);
}

/** Oldest first; by imports_running. */
export async function selectRunningImports(db: Db): Promise<Import[]> {
  const rows = await selectImports(db)
    .where('state', '=', 'running')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(toImport);
}

/** The podcast last imported from one of these addresses for this user; by imports_of_owner. */
export async function selectPodcastImportedFrom(
  db: Db,
  ownerId: string,
  urls: readonly string[],
): Promise<string | undefined> {
  const row = await db
    .selectFrom('imports')
    .select('podcast_id as podcastId')
    .where('owner_id', '=', ownerId)
    .where('source_url', 'in', urls)
    .where('podcast_id', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.podcastId ?? undefined;
}

/** Takes an import over from whoever had it, unless somebody else was faster. */
export async function claimImport(
  db: Db,
  found: Pick<Import, 'id' | 'lease'>,
  lease: ImportLease,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('imports')
    .set({
      ...leaseColumns(lease),
      attempts: sql<number>`attempts + 1`,
      updated_at: now,
    })
    .where('id', '=', found.id)
    .where('state', '=', 'running')
    .where(isHeldBy(found.lease?.holder ?? null))
    .where('lease_until', 'is not distinct from', found.lease?.until ?? null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** False when the import is no longer this holder's. */
export async function renewImport(
  db: Db,
  id: string,
  lease: ImportLease,
  progress: ImportProgress,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('imports')
    .set({ lease_until: lease.until, progress: JSON.stringify(progress), updated_at: now })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .where(isHeldBy(lease.holder))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Gives the import back. In good order, what came before is no longer held against it. */
export async function releaseImport(
  db: Db,
  id: string,
  holder: ImportHolder,
  { isOrderly, now }: { readonly isOrderly: boolean; readonly now: Date },
): Promise<void> {
  await db
    .updateTable('imports')
    .set({
      holder: null,
      lease_until: null,
      ...(isOrderly ? { attempts: 0 } : {}),
      updated_at: now,
    })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .where(isHeldBy(holder))
    .execute();
}

/** False when it is no longer this holder's to end; `holder` null: nobody holds it. */
export async function endImport(
  db: Db,
  id: string,
  holder: ImportHolder | null,
  end: { state: Exclude<ImportState, 'running'>; report?: ImportReport; error?: string },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('imports')
    .set({
      state: end.state,
      holder: null,
      lease_until: null,
      report: end.report === undefined ? null : JSON.stringify(end.report),
      error: end.error ?? null,
      updated_at: now,
    })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .where(isHeldBy(holder))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Whether the database answers at all. */
export async function ping(db: Db): Promise<void> {
  await sql`select 1`.execute(db);
}

const selectImports = (db: Db) =>
  db
    .selectFrom('imports')
    .select([
      'id',
      'owner_id as ownerId',
      'podcast_id as podcastId',
      'source_url as sourceUrl',
      'documents',
      'copy_audio as copyAudio',
      'creates_podcast as createsPodcast',
      'state',
      'holder',
      'lease_until as leaseUntil',
      'attempts',
      'progress',
      'warnings',
      'report',
      'error',
      'created_at as createdAt',
    ]);

type ImportRow = Awaited<ReturnType<ReturnType<typeof selectImports>['execute']>>[number];

function toImport({ holder, leaseUntil, ...row }: ImportRow): Import {
  return {
    ...row,
    documents: row.documents as unknown as StoredDocument[],
    state: row.state as ImportState,
    progress: row.progress as unknown as ImportProgress,
    warnings: row.warnings as unknown as ImportWarning[],
    report: row.report as unknown as ImportReport | null,
    lease:
      holder === null || leaseUntil === null
        ? null
        : { holder: holder as unknown as ImportHolder, until: leaseUntil },
  };
}

function leaseColumns({ holder, until }: ImportLease): { holder: string; lease_until: Date } {
  return { holder: JSON.stringify(holder), lease_until: until };
}

const isHeldBy = (holder: ImportHolder | null) =>
  sql<boolean>`holder is not distinct from ${holder && JSON.stringify(holder)}::jsonb`;
