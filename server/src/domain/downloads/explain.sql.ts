import { sql } from 'kysely';
import type { Db } from '../database.ts';
import { receiptsOf } from './receipts.sql.ts';

/** Why one listener did or did not count. */
export interface ExplainedListener {
  readonly hash: string;
  readonly requests: number;
  readonly rejected: Readonly<Record<string, number>>;
  /** Audio bytes of the version of which most was received. */
  readonly receivedBytes: number;
  readonly neededBytes: number;
  readonly counted: boolean;
}

/** Requests of an episode on a day, by the reason of their rejection; null: none. */
export async function countRejections(
  db: Db,
  episodeId: string,
  day: string,
): Promise<{ readonly reason: string | null; readonly count: number }[]> {
  return await db
    .selectFrom('download_requests')
    .select((column) => ['rejected as reason', column.fn.sum<number>('requests').as('count')])
    .where('episode_id', '=', episodeId)
    .where('day', '=', day)
    .groupBy('rejected')
    .orderBy('rejected')
    .execute();
}

export async function summarizeListeners(
  db: Db,
  episodeId: string,
  day: string,
): Promise<{ readonly listeners: number; readonly counted: number }> {
  const { rows } = await sql<{ readonly listeners: number; readonly counted: number }>`
    select count(distinct listener)::int as listeners,
      count(distinct listener) filter (where counted)::int as counted
    from ${receiptsOf(sql`episode_id = ${episodeId} and day = ${day}::date`)}`.execute(db);
  return rows[0] ?? { listeners: 0, counted: 0 };
}

export async function findListener(
  db: Db,
  episodeId: string,
  day: string,
  hash: string,
): Promise<ExplainedListener> {
  const { rows } = await sql<Omit<ExplainedListener, 'hash'>>`
    with request as (
      select rejected, requests from download_requests where episode_id = ${episodeId} and day = ${day}::date
        and listener = decode(${hash}, 'hex')
    ), received as (
      select byte_count(audio) as bytes, needed_bytes, counted from download_listeners
      where episode_id = ${episodeId} and day = ${day}::date and listener = decode(${hash}, 'hex')
    )
    select (select coalesce(sum(requests), 0) from request)::int as requests,
      (select coalesce(jsonb_object_agg(rejected, n), '{}') from (
        select rejected, sum(requests) as n from request where rejected is not null group by rejected
      ) as reason) as rejected,
      coalesce(max(bytes), 0)::bigint as "receivedBytes",
      coalesce(max(needed_bytes), 0)::bigint as "neededBytes",
      coalesce(bool_or(counted), false) as counted
    from received`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('an aggregate always has a row');
  return { hash, ...row };
}
