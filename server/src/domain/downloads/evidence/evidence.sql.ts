import { sql } from 'kysely';
import { type UtcDay, utcDayOf } from '../../../lib/utc-day.ts';
import { BinaryRows } from '../../../platform/database/binary-rows.ts';
import { copyIn } from '../../../platform/database/copy-in.ts';
import type { Db } from '../../database.ts';
import {
  type AudioRequest,
  type JudgedRequest,
  type RejectionReason,
  refusals,
} from '../audio-request.ts';
import { parseMultirange } from '../multirange.ts';

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

/** The same for the podcasts that have evidence of a day. */
export async function lockPodcastsOfDay(db: Db, day: UtcDay): Promise<string[]> {
  const { rows } = await sql<{ readonly id: string }>`
    select id from podcasts
    where id in (select podcast_id from download_requests where day = ${day}::date)
    order by id for key share`.execute(db);
  return rows.map(({ id }) => id);
}

const evidenceColumns = `day, at, requests, podcast_id, episode_id, listener, user_agent, network,
  country, source, referrer, rejected, file, needed_bytes, audio`;

/** Rows for `copyEvidence`. */
export function encodeEvidence(requests: readonly JudgedRequest[]): Buffer {
  const rows = new BinaryRows();
  for (const request of requests) writeEvidence(rows, request);
  return rows.finish();
}

export async function copyEvidence(db: Db, rows: Buffer): Promise<void> {
  const copy = `copy download_requests (${evidenceColumns}) from stdin (format binary)`;
  await copyIn(db, copy, rows);
}

function writeEvidence(rows: BinaryRows, request: JudgedRequest): void {
  rows.begin(15);
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
      referrer, rejected, encode(file, 'hex') as file, needed_bytes as "neededBytes", audio
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
