import { sql } from 'kysely';
import { recordTurn } from '../../foundation/accounts/index.ts';
import type { Db } from '../../foundation/database.ts';
import type { ImportState } from '../../foundation/enumerations.ts';
import type { Import, ImportHolder, TurnKind } from './import.ts';
import { toLease } from './imports.sql.ts';
import type { ImportProgress, ImportReport } from './report/import-report.ts';

/** An import for display. */
export interface ListedImport {
  readonly id: string;
  readonly state: ImportState;
  readonly ownerId: string;
  readonly ownerEmail: string;
  /** Null before the feed is read, and if the podcast was deleted. */
  readonly podcastId: string | null;
  readonly podcastSlug: string | null;
  readonly podcastTitle: string | null;
  readonly sourceUrl: string | null;
  readonly dryRun: boolean;
  readonly copyAudio: boolean;
  readonly overwrite: boolean;
  readonly progress: ImportProgress;
  readonly error: string | null;
  readonly errorReason: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface FoundImport extends ListedImport {
  readonly report: ImportReport | null;
}

export interface ImportPosition {
  readonly createdAt: Date;
  readonly id: string;
}

/** Newest first; of one owner by imports_of_owner_by_age. */
export async function selectListedImports(
  db: Db,
  filter: {
    readonly ownerId: string | undefined;
    readonly after: ImportPosition | undefined;
    readonly limit: number;
  },
): Promise<ListedImport[]> {
  const { ownerId, after, limit } = filter;
  let query = selectListed(db).orderBy('i.created_at', 'desc').orderBy('i.id', 'desc').limit(limit);
  if (ownerId !== undefined) query = query.where('i.owner_id', '=', ownerId);
  if (after !== undefined) {
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('i.created_at', 'i.id'), '<', tuple(after.createdAt, after.id)),
    );
  }
  return await query.execute();
}

/** By the primary key. */
export function selectFoundImport(db: Db, id: string): Promise<FoundImport | undefined> {
  return selectListed(db)
    .select((column) => column.ref('i.report').$castTo<ImportReport | null>().as('report'))
    .where('i.id', '=', id)
    .executeTakeFirst();
}

/** The number of an owner's unfinished imports; by imports_of_owner_by_age. */
export async function countRunningImports(db: Db, ownerId: string): Promise<number> {
  const { count } = await db
    .selectFrom('imports')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId)
    .where('state', '=', 'running')
    .executeTakeFirstOrThrow();
  return count;
}

/** Deletes an owner's finished dry runs except the newest. */
export async function deleteOldDryRuns(db: Db, ownerId: string, kept: number): Promise<void> {
  await db
    .deleteFrom('imports')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('imports')
        .select('id')
        .where('owner_id', '=', ownerId)
        .where('dry_run', '=', true)
        .where('state', '<>', 'running')
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .offset(kept),
    )
    .execute();
}

/**
 * Deletes an owner's ended imports except the newest, and except the newest of each show and URL, by which
 * the show is found when that URL is imported again: of so many shows and URLs.
 */
export async function deleteImportsBeyond(db: Db, ownerId: string, kept: number): Promise<void> {
  await sql`
    with ended as (
      select id, row_number() over (order by created_at desc, id desc) as place,
        podcast_id is not null and row_number() over (
          partition by podcast_id, source_url order by created_at desc, id desc) = 1 as is_newest
      from imports where owner_id = ${ownerId} and state <> 'running'
    ), ranked as (
      select id, place, is_newest, count(*) filter (where is_newest) over (order by place) as rank
      from ended
    )
    delete from imports where id in (
      select id from ranked where place > ${kept} and not (is_newest and rank <= ${kept})
    )`.execute(db);
}

/**
 * Empties the lists in an owner's finished reports, except the newest; their counts stay. By
 * imports_of_owner_by_age.
 */
export async function emptyOldReports(db: Db, ownerId: string, kept: number): Promise<void> {
  const lists = ['problems', 'warnings', 'conflicts', 'changes', 'notKept'];
  const count = sql`(select sum(jsonb_array_length(report -> list))::integer
    from unnest(${lists}::text[]) list)`;
  await sql`
    with old as (
      select id from imports where owner_id = ${ownerId} and state <> 'running'
      order by created_at desc, id desc offset ${kept}
    )
    update imports set warnings = '[]', report = report
      || (select jsonb_object_agg(list, '[]'::jsonb) from unnest(${lists}::text[]) list)
      || jsonb_build_object('omitted', (report ->> 'omitted')::integer + ${count})
    where id in (select id from old) and report is not null and ${count} > 0`.execute(db);
}

/**
 * Deletes imports that ended before then. Keeps the newest of each show and URL, by which the show
 * is found when that URL is imported again.
 */
export async function deleteOldImports(db: Db, before: Date): Promise<void> {
  await sql`
    delete from imports i
    where i.state <> 'running' and i.updated_at < ${before} and (i.podcast_id is null or exists (
      select from imports newer
      where newer.podcast_id = i.podcast_id and not newer.dry_run
        and newer.source_url is not distinct from i.source_url
        and (newer.created_at, newer.id) > (i.created_at, i.id)))`.execute(db);
}

/** Cancels a running import, whichever process runs it. */
export async function cancelRunningImport(db: Db, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('imports')
    .set({ state: 'cancelled', holder: null, lease_until: null, error: null, updated_at: now })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * Restarts a failed or cancelled import from its URL. With `obeysLock`, an operator's earlier
 * permission to ignore the lock no longer applies.
 */
export async function restartImport(
  db: Db,
  id: string,
  { now, obeysLock }: { readonly now: Date; readonly obeysLock: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('imports')
    .set({
      state: 'running',
      ...(obeysLock && { ignore_lock: false }),
      podcast_id: null,
      documents: '[]',
      warnings: '[]',
      attempts: 0,
      deaths: 0,
      reached_phase: 0,
      reached_left: 2 ** 31 - 1,
      report: null,
      error: null,
      error_reason: null,
      updated_at: now,
    })
    .where('id', '=', id)
    .where('state', 'in', ['failed', 'cancelled'])
    .where('source_url', 'is not', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Of a running import that no process has claimed, only that it waits. */
const shownProgress = sql<ImportProgress>`
  case when i.state = 'running' and i.holder is null
    then i.progress - 'title' || '{"phase": "queued"}' else i.progress end`;

const selectListed = (db: Db) =>
  db
    .selectFrom('imports as i')
    .innerJoin('users as u', 'u.id', 'i.owner_id')
    .leftJoin('podcasts as p', 'p.id', 'i.podcast_id')
    .select([
      'i.id',
      'i.state',
      'i.owner_id as ownerId',
      'u.email as ownerEmail',
      'i.podcast_id as podcastId',
      'p.slug as podcastSlug',
      'p.title as podcastTitle',
      'i.source_url as sourceUrl',
      'i.dry_run as dryRun',
      'i.copy_audio as copyAudio',
      'i.overwrite',
      shownProgress.as('progress'),
      'i.error',
      'i.error_reason as errorReason',
      'i.created_at as createdAt',
      'i.updated_at as updatedAt',
    ]);

/** A running import, for the choice of the next one. */
type TurnCandidate = Pick<Import, 'id' | 'ownerId' | 'attempts' | 'lease'>;

/** Until the transaction ends, no other process gives imports their turns. */
export async function lockTurns(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('turns of imports', 0))`.execute(db);
}

/**
 * All running imports: those of the account whose last turn of this kind is the longest ago first, and
 * of these the one that has waited longest; by imports_running.
 */
export async function selectTurnCandidates(db: Db, kind: TurnKind): Promise<TurnCandidate[]> {
  const rows = await db
    .selectFrom('imports as i')
    .innerJoin('users as u', 'u.id', 'i.owner_id')
    .leftJoin('account_turns as t', (join) =>
      join.onRef('t.account_id', '=', 'u.account_id').on('t.queue', '=', queueOf(kind)),
    )
    .select((column) => [
      'i.id',
      'i.owner_id as ownerId',
      'i.attempts',
      column.ref('i.holder').$castTo<ImportHolder | null>().as('holder'),
      'i.lease_until as until',
    ])
    .where('i.state', '=', 'running')
    .orderBy('t.turn', (order) => order.asc().nullsFirst())
    .orderBy('i.updated_at')
    .orderBy('i.id')
    .execute();
  return rows.map(({ holder, until, ...row }) => ({ ...row, lease: toLease(holder, until) }));
}

/** Notes that the account of this user has had a turn. */
export function recordImportTurn(db: Db, kind: TurnKind, ownerId: string): Promise<void> {
  return recordTurn(db, queueOf(kind), ownerId);
}

/**
 * Whether another import has waited since then for a turn of this kind, and may have it: its account
 * has no other import in such a turn. By imports_running.
 */
export async function isAnotherWaiting(
  db: Db,
  kind: TurnKind,
  { besides, since }: { readonly besides: string; readonly since: Date },
): Promise<boolean> {
  const found = await db
    .selectFrom('imports as i')
    .select('i.id')
    .where('i.state', '=', 'running')
    .where('i.id', '<>', besides)
    .where('i.attempts', kind === 'first' ? '=' : '>', 0)
    .where('i.updated_at', '<=', since)
    .where(({ eb, or }) => or([eb('i.holder', 'is', null), eb('i.lease_until', '<', since)]))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('imports as other')
            .select('other.id')
            .where('other.state', '=', 'running')
            .where('other.id', '<>', besides)
            .whereRef('other.owner_id', '=', 'i.owner_id')
            .where(sql<boolean>`other.holder ->> 'turn' = ${kind}`)
            .where('other.lease_until', '>=', since),
        ),
      ),
    )
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

function queueOf(kind: TurnKind): 'first-imports' | 'later-imports' {
  return `${kind}-imports`;
}
