import { sql } from 'kysely';
import { type Db, toRow } from '../../foundation/database.ts';
import type { ImportState } from '../../foundation/enumerations.ts';
import type { Import, ImportHolder, ImportLease, ReachedPlace, StoredDocument } from './import.ts';
import type { ImportProgress, ImportReport, ImportWarning } from './report/import-report.ts';

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

/** What says whether it is abandoned. Oldest first; by imports_running. */
export async function selectRunningImports(
  db: Db,
): Promise<Pick<Import, 'id' | 'attempts' | 'deaths' | 'lease' | 'progress'>[]> {
  const rows = await db
    .selectFrom('imports')
    .select((column) => [
      ...(['id', 'attempts', 'deaths'] as const),
      column.ref('holder').$castTo<ImportHolder | null>().as('holder'),
      'lease_until as until',
      column.ref('progress').$castTo<ImportProgress>().as('progress'),
    ])
    .where('state', '=', 'running')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ holder, until, ...row }) => ({ ...row, lease: toLease(holder, until) }));
}

/** The unfinished ones among these imports; by the primary key. */
export async function selectRunningIds(db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('imports')
    .select('id')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('state', '=', 'running')
    .execute();
  return rows.map(({ id }) => id);
}

/** The same, with their stored feeds. */
export async function selectRunningFeeds(
  db: Db,
  ids: readonly string[],
): Promise<Pick<Import, 'id' | 'documents'>[]> {
  return await db
    .selectFrom('imports')
    .select((column) => [
      'id',
      column.ref('documents').$castTo<readonly StoredDocument[]>().as('documents'),
    ])
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('state', '=', 'running')
    .execute();
}

/** Those that import into podcasts of the account; by imports_pkey. */
export async function selectIdsOfAccount(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('imports as i')
    .innerJoin('podcasts as p', 'p.id', 'i.podcast_id')
    .select('i.id')
    .where(sql<boolean>`i.id = any(${ids}::uuid[])`)
    .where('p.account_id', '=', accountId)
    .execute();
  return rows.map(({ id }) => id);
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

/** Claims an import, unless another process was faster. */
export async function claimImport(
  db: Db,
  found: Pick<Import, 'id' | 'lease'> & { readonly deaths: number },
  lease: ImportLease,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('imports')
    .set({
      ...leaseColumns(lease),
      attempts: sql<number>`attempts + 1`,
      deaths: found.deaths,
      updated_at: now,
    })
    .where('id', '=', found.id)
    .where('state', '=', 'running')
    .where(isHeldBy(found.lease?.holder ?? null))
    .where('lease_until', 'is not distinct from', found.lease?.until ?? null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Renews the claim. Returns false if it is lost. */
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

interface ReleaseOptions {
  readonly isOrderly: boolean;
  readonly hasOnlyWaited: boolean;
  readonly now: Date;
}

/**
 * Releases the claim. After an orderly stop of the process, earlier attempts no longer count; a run that
 * has only waited is none.
 */
export async function releaseImport(
  db: Db,
  id: string,
  holder: ImportHolder,
  { isOrderly, hasOnlyWaited, now }: ReleaseOptions,
): Promise<void> {
  await db
    .updateTable('imports')
    .set({
      holder: null,
      lease_until: null,
      ...(hasOnlyWaited && { attempts: sql<number>`greatest(attempts - 1, 0)` }),
      ...(isOrderly && { attempts: 0 }),
      updated_at: now,
    })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .where(isHeldBy(holder))
    .execute();
}

export interface ImportEnd {
  readonly state: Exclude<ImportState, 'running'>;
  readonly report?: ImportReport | undefined;
  readonly error?: string | undefined;
  readonly errorReason?: string | undefined;
}

/** Ends the import. Returns false if the claim is lost; `holder` null: it has none. */
export async function endImport(
  db: Db,
  id: string,
  holder: ImportHolder | null,
  end: ImportEnd,
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
      error_reason: end.errorReason ?? null,
      updated_at: now,
    })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .where(isHeldBy(holder))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Records the progress; only a point beyond all earlier ones counts. */
export async function updateReached(
  db: Db,
  id: string,
  { phase, left }: ReachedPlace,
  progress: ImportProgress,
): Promise<void> {
  await db
    .updateTable('imports')
    .set({
      reached_phase: phase,
      reached_left: left,
      attempts: 1,
      deaths: 0,
      progress: JSON.stringify(progress),
    })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .where(sql<boolean>`(reached_phase, -reached_left) < (${phase}::integer, ${-left}::integer)`)
    .execute();
}

/** The number of the podcast's episodes created after that. */
export async function countEpisodesSince(db: Db, podcastId: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('episodes')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('podcast_id', '=', podcastId)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Whether the database responds. */
export async function ping(db: Db): Promise<void> {
  await sql`select 1`.execute(db);
}

const selectImports = (db: Db) =>
  db
    .selectFrom('imports')
    .select((column) => [
      'id',
      'owner_id as ownerId',
      'podcast_id as podcastId',
      'source_url as sourceUrl',
      column.ref('documents').$castTo<readonly StoredDocument[]>().as('documents'),
      'copy_audio as copyAudio',
      'overwrite',
      'ignore_lock as ignoreLock',
      'dry_run as dryRun',
      'wanted_slug as wantedSlug',
      'into_slug as intoSlug',
      'creates_podcast as createsPodcast',
      'state',
      column.ref('holder').$castTo<ImportHolder | null>().as('holder'),
      'lease_until as leaseUntil',
      'attempts',
      'deaths',
      column.ref('progress').$castTo<ImportProgress>().as('progress'),
      column.ref('warnings').$castTo<readonly ImportWarning[]>().as('warnings'),
      column.ref('report').$castTo<ImportReport | null>().as('report'),
      'error',
      'error_reason as errorReason',
      'created_at as createdAt',
      'updated_at as updatedAt',
    ]);

type ImportRow = Awaited<ReturnType<ReturnType<typeof selectImports>['execute']>>[number];

function toImport({ holder, leaseUntil, wantedSlug, intoSlug, ...row }: ImportRow): Import {
  return {
    ...row,
    wish: { slug: wantedSlug ?? undefined, into: intoSlug ?? undefined },
    lease: toLease(holder, leaseUntil),
  };
}

export function toLease(holder: ImportHolder | null, until: Date | null): ImportLease | null {
  return holder === null || until === null ? null : { holder, until };
}

function leaseColumns({ holder, until }: ImportLease): {
  holder: string;
  lease_until: Date;
} {
  return { holder: JSON.stringify(holder), lease_until: until };
}

const isHeldBy = (holder: ImportHolder | null) =>
  sql<boolean>`holder is not distinct from ${holder && JSON.stringify(holder)}::jsonb`;

type NewImportRow = Pick<
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
export async function insertImport(db: Db, started: NewImportRow): Promise<boolean> {
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
