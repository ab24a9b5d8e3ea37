import { sql } from 'kysely';
import { type UtcDay, utcDayOf } from '../../../../lib/utc-day.ts';
import { BinaryRows } from '../../../../platform/database/binary-rows.ts';
import { copyIn } from '../../../../platform/database/copy-in.ts';
import type { Db } from '../../../foundation/database.ts';
import {
  type AudioRequest,
  type ClassifiedRequest,
  type RejectionReason,
  refusals,
} from '../audio-request.ts';
import { type Crowd, mostListenersOf } from '../receipts/crowds.ts';
import { parseMultirange } from '../receipts/receipts.sql.ts';

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

/** Those of the podcasts that exist. They cannot be deleted before the transaction ends. */
export async function lockPodcasts(db: Db, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ readonly id: string }>`
    select id from podcasts where id = any(${ids}::uuid[]) order by id for key share`.execute(db);
  return rows.map(({ id }) => id);
}

/** The same for the podcasts that have evidence of a day, and whether it has all their requests. */
export async function lockPodcastsOfDay(
  db: Db,
  day: UtcDay,
): Promise<{ readonly id: string; readonly isComplete: boolean }[]> {
  const { rows } = await sql<{ readonly id: string; readonly isComplete: boolean }>`
    select id, not exists (select from download_request_sums sums where sums.podcast_id = podcasts.id
      and sums.day = ${day}::date and sums.rejected is null) as "isComplete"
    from podcasts
    where id in (select podcast_id from download_requests where day = ${day}::date
      union all select podcast_id from download_request_sums where day = ${day}::date)
    order by id for key share`.execute(db);
  return rows;
}

/** Crowds of which a day's evidence has so many rows that they may have too many listeners. */
export async function selectLargeCrowds(db: Db, day: UtcDay): Promise<Crowd[]> {
  const { rows } = await sql<Crowd>`
    select episode_id as "episodeId", lpad(to_hex(min(address_hash)), 16, '0') as "addressHash",
      case grouping(address_hash) when 0 then 'address' else 'site' end as of
    from download_requests where day = ${day}::date and address_hash is not null
    group by grouping sets ((episode_id, address_hash), (episode_id, address_hash >> 32))
    having case grouping(address_hash) when 0 then count(*) > ${sql.lit(mostListenersOf.address)}
      else count(*) filter (where address_hash & 1 = 1) > ${sql.lit(mostListenersOf.site)} end`.execute(
    db,
  );
  return rows;
}

const evidenceColumns = `day, at, requests, podcast_id, episode_id, listener, user_agent, network,
  country, source, referrer, rejected, file, needed_bytes, audio, address_hash`;

/** Rows for `copyEvidence`. */
export function encodeEvidence(requests: readonly ClassifiedRequest[]): Buffer {
  const rows = new BinaryRows();
  for (const request of requests) writeEvidence(rows, request);
  return rows.finish();
}

export async function copyEvidence(db: Db, rows: Buffer): Promise<void> {
  const copy = `copy download_requests (${evidenceColumns}) from stdin (format binary)`;
  await copyIn(db, copy, rows);
}

function writeEvidence(rows: BinaryRows, request: ClassifiedRequest): void {
  rows.begin(16);
  rows.date(utcDayOf(request.at));
  rows.timestamp(request.at);
  rows.int4(request.requests);
  rows.uuid(request.podcastId);
  rows.uuid(request.episodeId);
  rows.hex(request.listener, 16);
  rows.text(request.userAgent);
  rows.int8(request.network);
  rows.text(request.country);
  rows.text(request.source);
  rows.text(request.referrer);
  rows.text(request.rejected);
  rows.hex(request.file, 8);
  rows.int8(request.neededBytes);
  rows.multirange(request.audio);
  rows.hex(request.addressHash, 8);
}

/** The bytes on disk of the evidence of these days, which have partitions. */
export async function measureEvidence(
  db: Db,
  days: readonly UtcDay[],
): Promise<{ readonly day: UtcDay; readonly bytes: number }[]> {
  const { rows } = await sql<{ readonly day: UtcDay; readonly bytes: number }>`
    select day::text as day,
      pg_total_relation_size(to_regclass('download_requests' || to_char(day, '_YYYY_MM_DD'))) as bytes
    from unnest(${days}::date[]) as wanted (day)`.execute(db);
  return rows;
}

/** Requests of an episode on a day of which only the number is kept. */
export interface RequestSum {
  readonly day: UtcDay;
  readonly podcastId: string;
  readonly episodeId: string;
  /** Null: they may count. */
  readonly rejected: RejectionReason | null;
  requests: number;
}

/** Each episode, day and reason once. */
export async function addToRequestSums(db: Db, sums: readonly RequestSum[]): Promise<void> {
  await sql`insert into download_request_sums as kept (day, podcast_id, episode_id, rejected, requests)
    select day, "podcastId", "episodeId", rejected, requests
    from json_to_recordset(${JSON.stringify(sums)}::json) as row
      (day date, "podcastId" uuid, "episodeId" uuid, rejected text, requests bigint)
    on conflict (episode_id, day, rejected) do update set requests = kept.requests + excluded.requests`.execute(
    db,
  );
}

/** Whether requests of this day may count and have no details. */
export async function hasLeftOut(db: Db, day: UtcDay): Promise<boolean> {
  const { rows } = await sql`
    select from download_request_sums where day = ${day}::date and rejected is null limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

export async function deleteRequestSumsBefore(db: Db, day: UtcDay): Promise<void> {
  await sql`delete from download_request_sums where day < ${day}::date`.execute(db);
}

/** Where a row of evidence stands. It holds until the row is changed. */
export interface EvidenceRow {
  readonly place: string;
  readonly rejected: RejectionReason | null;
  readonly request: AudioRequest;
}

export async function countEvidence(db: Db, day: UtcDay): Promise<number> {
  const { rows } = await sql<{ readonly n: number }>`
    select count(*)::int as n from download_requests where day = ${day}::date`.execute(db);
  return rows[0]?.n ?? 0;
}

/** One of `parts` parts of the evidence of a day: all of it of about as many listeners. */
export interface DayPart {
  readonly day: UtcDay;
  /** From 0. */
  readonly part: number;
  /** At most 256. */
  readonly parts: number;
}

/**
 * A part of the evidence, in pages, ordered by podcast, listener and time, as it was at the first. One at a
 * time in a transaction.
 */
export async function* readEvidence(
  db: Db,
  { day, part, parts }: DayPart,
  rowsAtOnce: number,
): AsyncGenerator<EvidenceRow[]> {
  await sql`declare evidence no scroll cursor for
    select ctid::text as place, at, requests, podcast_id as "podcastId", episode_id as "episodeId",
      encode(listener, 'hex') as listener, user_agent as "userAgent", network, country, source,
      referrer, rejected, encode(file, 'hex') as file, needed_bytes as "neededBytes", audio,
      lpad(to_hex(address_hash), 16, '0') as "addressHash"
    from download_requests
    where day = ${sql.lit(day)}::date
      and get_byte(listener, 0) * ${sql.lit(parts)} / 256 = ${sql.lit(part)}
    order by podcast_id, listener, at`.execute(db);
  for (;;) {
    const { rows } = await sql<Fetched>`fetch ${sql.lit(rowsAtOnce)} from evidence`.execute(db);
    if (rows.length === 0) break;
    yield rows.map(({ place, rejected, audio, ...row }) => {
      const refusal = refusals.find((known) => known === rejected) ?? null;
      return { place, rejected, request: { ...row, refusal, audio: parseMultirange(audio) } };
    });
  }
  await sql`close evidence`.execute(db);
}

interface Fetched extends Omit<AudioRequest, 'refusal' | 'audio'> {
  readonly place: string;
  readonly rejected: RejectionReason | null;
  readonly audio: string;
}

export async function updateVerdicts(
  db: Db,
  day: UtcDay,
  changed: readonly { readonly place: string; readonly rejected: RejectionReason | null }[],
): Promise<void> {
  await sql`update download_requests r set rejected = verdict.rejected
    from unnest(${changed.map(({ place }) => place)}::tid[],
      ${changed.map(({ rejected }) => rejected)}::text[]) as verdict (place, rejected)
    where r.day = ${day}::date and r.ctid = verdict.place`.execute(db);
}
