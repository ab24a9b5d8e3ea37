import { sql } from 'kysely';
import type { Db } from '../database.ts';
import { refusals } from './audio-request.ts';
import { uniteRequests } from './ingest.sql.ts';
import { applyDifferences } from './sums.sql.ts';

/** What the rules say of a user agent; '' stands for none. */
export interface ClientVerdict {
  readonly userAgent: string;
  readonly isBot: boolean;
  readonly app: string;
  readonly device: string;
}

export async function sumDownloads(db: Db, days: readonly string[]): Promise<number> {
  const { sum } = await db
    .selectFrom('podcast_download_days')
    .select((column) =>
      column.fn.coalesce(column.fn.sum<number>('downloads'), sql<number>`0`).as('sum'),
    )
    .where('day', 'in', days)
    .executeTakeFirstOrThrow();
  return Number(sum);
}

/** Tables of this transaction: the verdicts, and the listeners of one day. */
export async function createRecount(db: Db): Promise<void> {
  await sql`create temp table recount_clients (user_agent text primary key, is_bot boolean not null,
    app text not null, device text not null) on commit drop`.execute(db);
  await sql`create temp table recount_listeners (like download_listeners) on commit drop`.execute(
    db,
  );
}

export async function listUserAgentsAfter(
  db: Db,
  days: readonly string[],
  after: string | undefined,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ readonly user_agent: string }>`
    select distinct coalesce(user_agent, '') collate "C" as user_agent from download_requests
    where day = any (${days}::date[])
      and (${after ?? null}::text is null or user_agent > ${after ?? ''} collate "C")
    order by user_agent limit ${limit}`.execute(db);
  return rows.map(({ user_agent }) => user_agent);
}

export async function listNetworks(db: Db, days: readonly string[]): Promise<number[]> {
  const rows = await db
    .selectFrom('download_requests')
    .select('network')
    .distinct()
    .where('day', 'in', days)
    .where('network', 'is not', null)
    .execute();
  return rows.flatMap(({ network }) => network ?? []);
}

export async function insertVerdicts(db: Db, verdicts: readonly ClientVerdict[]): Promise<void> {
  await sql`insert into recount_clients (user_agent, is_bot, app, device)
    select * from unnest(
      ${verdicts.map(({ userAgent }) => userAgent)}::text[],
      ${verdicts.map(({ isBot }) => isBot)}::boolean[],
      ${verdicts.map(({ app }) => app)}::text[],
      ${verdicts.map(({ device }) => device)}::text[])`.execute(db);
}

/** Requests that could never count keep their reason. */
export async function judgeEvidence(
  db: Db,
  day: string,
  dataCenters: readonly number[],
): Promise<void> {
  await sql`
    with verdict as (
      select r.tableoid, r.ctid, case when client.is_bot then 'bot'
        when r.network = any (${dataCenters}::bigint[]) then 'data_center' end as rejected
      from download_requests r
      join recount_clients client on client.user_agent = coalesce(r.user_agent, '')
      where r.day = ${day}::date and (r.rejected is null or r.rejected <> all (${refusals}::text[]))
    )
    update download_requests r set rejected = verdict.rejected from verdict
    where r.day = ${day}::date and r.tableoid = verdict.tableoid and r.ctid = verdict.ctid
      and r.rejected is distinct from verdict.rejected`.execute(db);
}

/** Unites the requests of a day anew, and brings the sums from the old listeners to the new. */
export async function replaceListeners(db: Db, day: string): Promise<void> {
  await sql`
    with request as (
      select r.*, client.app, client.device from download_requests r
      join recount_clients client on client.user_agent = coalesce(r.user_agent, '')
      where r.day = ${day}::date and r.podcast_id in (select id from podcasts)
    )
    insert into recount_listeners ${uniteRequests('request')}`.execute(db);
  await sql`
    with before as materialized (select * from download_listeners where day = ${day}::date),
    after as materialized (select * from recount_listeners),
    ${applyDifferences}
    select count(*) from changed`.execute(db);
  await sql`delete from download_listeners where day = ${day}::date`.execute(db);
  await sql`insert into download_listeners select * from recount_listeners`.execute(db);
  await sql`truncate recount_listeners`.execute(db);
}
