import { type Kysely, sql, type Transaction } from 'kysely';
import type pg from 'pg';

/** The changes and the announced work since a snapshot. */
export interface ChangesSince {
  /** The snapshot of this statement: all earlier commits are in this result or an earlier one. */
  readonly snapshot: string;
  /** False: there were more changes, or some are already deleted. */
  readonly isComplete: boolean;
  readonly changes: readonly PodcastChange[];
  readonly work: readonly AnnouncedWork[];
  /** Whether the server accepts no writes, so that another one may have changes. */
  readonly isReadOnly: boolean;
}

export interface PodcastChange {
  /** The transaction id. */
  readonly xid: string;
  readonly podcastId: string;
}

export interface AnnouncedWork {
  /** The transaction id. */
  readonly xid: string;
  readonly job: string;
}

const mostChanges = 1_000;

/**
 * Inserts the change and sends the NOTIFY, both in the transaction. Returns the transaction id,
 * which is also in the payload.
 */
export async function insertPodcastChange<Tables>(
  db: Kysely<Tables> | Transaction<Tables>,
  podcastId: string,
  { channel, payload }: { readonly channel: string; readonly payload: string },
): Promise<string> {
  const { rows } = await sql<{ xid: string }>`
    with noted as (
      insert into podcast_changes (podcast_id) values (${podcastId}) on conflict do nothing
    )
    select pg_current_xact_id()::text as xid,
      pg_notify(${channel}, ${payload} || ' ' || pg_current_xact_id())
  `.execute(db);
  return rows[0]?.xid ?? '';
}

/** The same for work of a job. */
export async function insertAnnouncedWork<Tables>(
  db: Kysely<Tables> | Transaction<Tables>,
  job: string,
  { channel, payload }: { readonly channel: string; readonly payload: string },
): Promise<string> {
  const { rows } = await sql<{ xid: string }>`
    with noted as (insert into announced_work (job) values (${job}) on conflict do nothing)
    select pg_current_xact_id()::text as xid,
      pg_notify(${channel}, ${payload} || ' ' || pg_current_xact_id())
  `.execute(db);
  return rows[0]?.xid ?? '';
}

/**
 * Everything committed between the snapshot and this statement, each change once: those of
 * transactions that the snapshot shows as running or not begun. By podcast_changes_pkey and
 * announced_work_pkey. `prepare`: false behind poolers that keep no prepared statements.
 */
export async function selectChangesSince(
  client: pg.ClientBase,
  snapshot: string | undefined,
  { prepare }: { readonly prepare: boolean } = { prepare: true },
): Promise<ChangesSince> {
  const { rows } = await client.query<{
    snapshot: string;
    isKept: boolean | null;
    xids: string[];
    podcastIds: string[];
    workXids: string[];
    jobs: string[];
    isReadOnly: boolean;
  }>({
    ...(prepare && { name: 'select-changes-since' }),
    text: changesSince,
    values: [snapshot ?? null],
  });
  const [row] = rows;
  if (row === undefined) throw new Error('the database returned no row of changes');
  const { xids, podcastIds, workXids, jobs, isReadOnly } = row;
  const most = Math.max(xids.length, workXids.length);
  return {
    snapshot: row.snapshot,
    isComplete: row.isKept === true && most <= mostChanges,
    changes: xids.map((xid, index) => ({ xid, podcastId: podcastIds[index] ?? '' })),
    work: workXids.map((xid, index) => ({ xid, job: jobs[index] ?? '' })),
    isReadOnly,
  };
}

const changesSince = `
  with news as (
    select xid, podcast_id from podcast_changes where xid >= pg_snapshot_xmax($1::pg_snapshot)
    union all
    select xid, podcast_id from podcast_changes
    where xid in (select pg_snapshot_xip($1::pg_snapshot))
    limit ${mostChanges + 1}
  ), work as (
    select xid, job from announced_work where xid >= pg_snapshot_xmax($1::pg_snapshot)
    union all
    select xid, job from announced_work where xid in (select pg_snapshot_xip($1::pg_snapshot))
    limit ${mostChanges + 1}
  )
  select pg_current_snapshot()::text as snapshot,
    (select xid from podcast_changes_horizon) <= pg_snapshot_xmin($1::pg_snapshot) as "isKept",
    coalesce((select array_agg(xid::text order by xid, podcast_id) from news), '{}') as xids,
    coalesce((select array_agg(podcast_id::text order by xid, podcast_id) from news), '{}')
      as "podcastIds",
    coalesce((select array_agg(xid::text order by xid, job) from work), '{}') as "workXids",
    coalesce((select array_agg(job order by xid, job) from work), '{}') as jobs,
    current_setting('transaction_read_only') = 'on' as "isReadOnly"`;

/**
 * Whoever deletes old changes reads new ones by the same connection, for which all reads of caches wait. So a
 * commit waits neither for the disk nor for a standby, which may be away: what is lost is deleted again.
 */
const withoutWaiting = `(select set_config('synchronous_commit', 'off', true)) is not null`;

/** Deletes in batches what an old snapshot shows as finished, and records that. */
export async function deleteChangesBefore(client: pg.ClientBase, snapshot: string): Promise<void> {
  await client.query(
    `with horizon as (
       update podcast_changes_horizon set xid = pg_snapshot_xmin($1::pg_snapshot)
       where xid < pg_snapshot_xmin($1::pg_snapshot) and ${withoutWaiting}
     ), done as (
       delete from announced_work where ctid = any(array(
         select ctid from announced_work where xid < pg_snapshot_xmin($1::pg_snapshot) limit 10000
       ))
     )
     delete from podcast_changes where ctid = any(array(
       select ctid from podcast_changes where xid < pg_snapshot_xmin($1::pg_snapshot) limit 10000
     ))`,
    [snapshot],
  );
}

/**
 * Removes rows that a dump brought from another server, with ids of transactions that have not
 * begun here. Rows of transactions that begin in the meantime are not visible yet and so are safe.
 */
export async function deleteForeignChanges(client: pg.ClientBase): Promise<void> {
  await client.query(
    `with horizon as (
       update podcast_changes_horizon set xid = pg_snapshot_xmin(pg_current_snapshot())
       where xid > pg_snapshot_xmax(pg_current_snapshot()) and ${withoutWaiting}
     ), done as (
       delete from announced_work where xid >= pg_snapshot_xmax(pg_current_snapshot())
     )
     delete from podcast_changes where xid >= pg_snapshot_xmax(pg_current_snapshot())`,
  );
}
