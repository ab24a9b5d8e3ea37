import { type RawBuilder, sql } from 'kysely';
import type { UtcDay } from '../../../../lib/utc-day.ts';
import type { Db } from '../../../foundation/database.ts';
import type { RejectionReason } from '../audio-request.ts';

/** Why one listener did or did not count. */
export interface ExplainedListener {
  readonly hash: string;
  readonly requests: number;
  readonly rejected: Readonly<Record<string, number>>;
  /** Audio bytes of the version of which most was received. */
  readonly receivedBytes: number;
  readonly neededBytes: number;
  readonly counted: boolean;
  /** Those of the episode and day behind its address, if that is known. */
  readonly listenersOfAddress?: number;
}

/** A day, a reason or null, and the requests that were rejected for it. */
type RequestRow = readonly [UtcDay, RejectionReason | null, number];
/** A day, the listeners with a request that may count, and those that received enough. */
type ListenerRow = readonly [UtcDay, number, number];

export interface EvidenceCounts {
  readonly requests: readonly RequestRow[];
  /** Of requests without details, only the listeners that received enough are known. */
  readonly listeners: readonly ListenerRow[];
  /** Requests that may count and whose details are not kept, because the evidence was full. */
  readonly withoutDetails: number;
}

/**
 * Columns of EvidenceCounts. `evidence` is the condition for rows of download_requests and
 * download_request_sums, which have an index by episode.
 */
export const evidenceColumns = (evidence: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  coalesce((
    select json_agg(json_build_array(day, rejected, requests)) from (
      select day, rejected, sum(requests)::bigint as requests from (
        select day, rejected, requests from download_requests where ${evidence}
        union all select day, rejected, requests from download_request_sums where ${evidence}
      ) as request group by day, rejected order by day, rejected
    ) as counted), '[]') as requests,
  coalesce((
    select json_agg(json_build_array(day, listeners + more, counted + more) order by day) from (
      select day, coalesce(listeners, 0) as listeners, coalesce(counted, 0) as counted,
        coalesce(greatest(0, downloads - coalesce(counted, 0)), 0) as more
      from (
        select day, count(distinct listener) as listeners,
          count(distinct listener) filter (where counted) as counted
        from ${receiptsOf(evidence)}
        group by day
      ) as detailed full join (
        select day, sums.downloads from (
          select day, episode_id from download_request_sums where rejected is null and ${evidence}
        ) as without_details join episode_download_days as sums using (episode_id, day)
      ) as without_details using (day)
    ) as heard), '[]') as listeners,
  (select coalesce(sum(requests), 0)::bigint from download_request_sums
    where rejected is null and ${evidence}) as "withoutDetails"`;

/** A table expression: the receipts of these requests' listeners, by the index of listeners. */
const receiptsOf = (evidence: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select kept.* from (
    select distinct day, episode_id, listener from download_requests where ${evidence}
  ) as requested cross join lateral (
    select * from download_listeners stored where stored.day = requested.day
      and stored.listener = requested.listener and stored.episode_id = requested.episode_id
    offset 0
  ) as kept
) as receipts`;

export async function selectEvidenceCounts(
  db: Db,
  episodeId: string,
  day: UtcDay,
): Promise<EvidenceCounts> {
  const { rows } = await sql<EvidenceCounts>`
    select ${evidenceColumns(sql`episode_id = ${episodeId} and day = ${day}::date`)}`.execute(db);
  return rows[0] ?? { requests: [], listeners: [], withoutDetails: 0 };
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
