import { sql } from 'kysely';
import type { UtcDay } from '../../lib/utc-day.ts';
import type { Db } from '../database.ts';
import { type RejectionReason, receiptsOf } from '../downloads/index.ts';
import { episodeDataStart, type FactsRow, factsColumns } from './facts.sql.ts';

/** A day, a reason or null, and the requests that were rejected for it. */
type RequestRow = readonly [UtcDay, RejectionReason | null, number];
/** A day, the listeners with a request that may count, and those that received enough. */
type ListenerRow = readonly [UtcDay, number, number];

export interface EvidenceRow extends FactsRow {
  readonly requests: readonly RequestRow[];
  readonly listeners: readonly ListenerRow[];
}

/**
 * What became of the requests for an episode on days that still have evidence; undefined if there is
 * no such episode. By indexes of days' partitions.
 */
export async function selectEvidence(
  db: Db,
  episodeId: string,
  { from, to }: { readonly from: UtcDay; readonly to: UtcDay },
): Promise<EvidenceRow | undefined> {
  const ofDays = sql`episode_id = e.id and day between ${from}::date and ${to}::date`;
  const { rows } = await sql<EvidenceRow>`
    select ${factsColumns(episodeDataStart)}, coalesce((
        select json_agg(json_build_array(day, rejected, requests)) from (
          select day, rejected, sum(requests) as requests from download_requests where ${ofDays}
          group by day, rejected order by day, rejected
        ) as counted), '[]') as requests, coalesce((
        select json_agg(json_build_array(day, listeners, counted)) from (
          select day, count(distinct listener) as listeners,
            count(distinct listener) filter (where counted) as counted
          from ${receiptsOf(ofDays)}
          group by day order by day
        ) as heard), '[]') as listeners
    from episodes e join podcasts p on p.id = e.podcast_id
    where e.id = ${episodeId}`.execute(db);
  return rows[0];
}
