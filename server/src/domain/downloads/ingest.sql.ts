import { sql } from 'kysely';
import type { ByteRange } from '../../lib/byte-range.ts';
import type { Db } from '../database.ts';
import type { AudioRequest, RejectionReason } from './audio-request.ts';
import { applyDifferences, earliest } from './sums.sql.ts';

/** A request with what the rules say of its client. */
export interface JudgedRequest extends AudioRequest {
  readonly rejected: RejectionReason | null;
  readonly app: string;
  readonly device: string;
}

/** Whether the batch is new. Its id is given once, whichever process asks first. */
export async function insertBatch(db: Db, id: string, now: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('download_batches')
    .values({ id, ingested_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function deleteBatchesBefore(db: Db, moment: Date): Promise<void> {
  await db.deleteFrom('download_batches').where('ingested_at', '<', moment).execute();
}

/** A set of ranges with more pieces grows no more: it comes from no player. */
const maxPieces = 2_000;

/**
 * Keeps requests as evidence, unites what their listeners have received, and adds the downloads
 * that this makes to the sums. Requests for podcasts that are gone are left out. Returns the number
 * of new downloads. Requires the lock of the sums, and all in one statement: every part of it sees
 * the tables as they were before.
 */
export async function insertRequests(db: Db, requests: readonly JudgedRequest[]): Promise<number> {
  const column = <T>(read: (request: JudgedRequest) => T) => requests.map(read);
  const { rows } = await sql<{ readonly counted: number }>`
    with request as materialized (
      select (at at time zone 'UTC')::date as day, at, podcast_id, episode_id,
        decode(listener, 'hex') as listener, user_agent, network, country, source, referrer,
        rejected, decode(file, 'hex') as file, needed_bytes, audio, app, device
      from unnest(
        ${column(({ at }) => at)}::timestamptz[],
        ${column(({ podcastId }) => podcastId)}::uuid[],
        ${column(({ episodeId }) => episodeId)}::uuid[],
        ${column(({ listener }) => listener)}::text[],
        ${column(({ userAgent }) => userAgent)}::text[],
        ${column(({ network }) => network)}::bigint[],
        ${column(({ country }) => country)}::text[],
        ${column(({ source }) => source)}::text[],
        ${column(({ referrer }) => referrer)}::text[],
        ${column(({ rejected }) => rejected)}::text[],
        ${column(({ file }) => file)}::text[],
        ${column((request) => request.neededBytes)}::bigint[],
        ${column(({ audio }) => writeMultirange(audio))}::int8multirange[],
        ${column(({ app }) => app)}::text[],
        ${column(({ device }) => device)}::text[]
      ) as given (at, podcast_id, episode_id, listener, user_agent, network, country, source,
        referrer, rejected, file, needed_bytes, audio, app, device)
      where podcast_id in (select id from podcasts)
    ), evidence as (
      insert into download_requests (day, at, podcast_id, episode_id, listener, user_agent, network,
        country, source, referrer, rejected, file, needed_bytes, audio)
      select day, at, podcast_id, episode_id, listener, user_agent, network, country, source,
        referrer, rejected, file, needed_bytes, audio
      from request
    ), incoming as materialized (${uniteRequests('request')}),
    before as materialized (
      select kept.* from download_listeners kept
      join (select distinct day, podcast_id, listener from incoming) as came
        using (day, podcast_id, listener)
    ), written as (
      insert into download_listeners as kept
      select * from incoming
      on conflict (day, podcast_id, listener, episode_id, file) do update set
        audio = case when kept.counted or ${pieces('kept.audio')} > ${maxPieces} then kept.audio
          else kept.audio + excluded.audio end,
        counted = kept.counted or (kept.needed_bytes > 0
          and byte_count(kept.audio + excluded.audio) >= kept.needed_bytes),
        (${earliestColumns}) = (
          select * from (values (${earliestOf('kept')}), (${earliestOf('excluded')}))
            as candidate (${earliestColumns})
          order by ${earliest} limit 1)
      returning kept.*
    ), after as materialized (
      select * from written
      union all
      select * from before where (day, podcast_id, listener, episode_id, file) not in (
        select day, podcast_id, listener, episode_id, file from incoming)
    ), ${applyDifferences}
    select coalesce(sum(n), 0)::int as counted from changed`.execute(db);
  return rows[0]?.counted ?? 0;
}

const earliestColumns = sql.raw('first_at, source, referrer');
const earliestOf = (table: string) =>
  sql.raw(`${table}.first_at, ${table}.source, ${table}.referrer`);
const pieces = (audio: string) => sql.raw(`(select count(*) from unnest(${audio}))`);

/** The accepted requests of `table`, in the shape of `download_listeners`. */
export const uniteRequests = (table: string) => sql`
  select day, podcast_id, episode_id, listener, file, max(needed_bytes) as needed_bytes,
    range_agg(audio) as audio,
    max(needed_bytes) > 0 and byte_count(range_agg(audio)) >= max(needed_bytes) as counted,
    min(at) as first_at,
    (array_agg(source order by at, source, coalesce(referrer, '')))[1] as source,
    (array_agg(referrer order by at, source, coalesce(referrer, '')))[1] as referrer,
    min(app) as app, min(device) as device, coalesce(min(country), 'unknown') as country
  from ${sql.table(table)}
  where rejected is null
  group by day, podcast_id, episode_id, listener, file`;

/** `{[0,10),[20,30)}`: byte ranges include their ends, these do not. */
function writeMultirange(ranges: readonly ByteRange[]): string {
  return `{${ranges.map(({ start, end }) => `[${start},${end + 1})`).join(',')}}`;
}
