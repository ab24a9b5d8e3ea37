import { sql } from 'kysely';
import type { Db } from '../database.ts';
import { type RejectionReason, refusals } from './audio-request.ts';
import { parseMultirange, writeMultirange } from './multirange.ts';
import type { JudgedRequest } from './receipt-book.ts';

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

/** Those for podcasts that are gone are left out. */
export async function insertEvidence(db: Db, requests: readonly JudgedRequest[]): Promise<void> {
  const column = <T>(read: (request: JudgedRequest) => T) => requests.map(read);
  await sql`
    insert into download_requests (day, at, requests, podcast_id, episode_id, listener, user_agent, network,
      country, source, referrer, rejected, file, needed_bytes, audio)
    select (at at time zone 'UTC')::date, at, requests, podcast_id, episode_id, decode(listener, 'hex'),
      user_agent, network, country, source, referrer, rejected, decode(file, 'hex'), needed_bytes,
      audio
    from unnest(
      ${column(({ at }) => at)}::timestamptz[],
      ${column(({ requests }) => requests)}::integer[],
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
      ${column(({ neededBytes }) => neededBytes)}::bigint[],
      ${column(({ audio }) => writeMultirange(audio))}::int8multirange[]
    ) as given (at, requests, podcast_id, episode_id, listener, user_agent, network, country, source,
      referrer, rejected, file, needed_bytes, audio)
    where podcast_id in (select id from podcasts)`.execute(db);
}

/** Where a row of evidence stands. It holds until the row is changed. */
export interface EvidenceRow {
  readonly place: string;
  readonly rejected: RejectionReason | null;
  readonly request: Omit<JudgedRequest, 'rejected' | 'app' | 'device'>;
}

/** The evidence of a day, in pages, as it was at the first. One at a time in a transaction. */
export async function* readEvidence(
  db: Db,
  day: string,
  rowsAtOnce: number,
): AsyncGenerator<EvidenceRow[]> {
  await sql`declare evidence no scroll cursor for
    select ctid::text as place, at, requests, podcast_id as "podcastId", episode_id as "episodeId",
      encode(listener, 'hex') as listener, user_agent as "userAgent", network, country, source,
      referrer, rejected, encode(file, 'hex') as file, needed_bytes as "neededBytes", audio
    from download_requests where day = ${sql.lit(day)}::date`.execute(db);
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

interface Fetched extends Omit<EvidenceRow['request'], 'refusal' | 'audio'> {
  readonly place: string;
  readonly rejected: RejectionReason | null;
  readonly audio: string;
}

export async function updateVerdicts(
  db: Db,
  day: string,
  changed: readonly { readonly place: string; readonly rejected: RejectionReason | null }[],
): Promise<void> {
  await sql`update download_requests r set rejected = verdict.rejected
    from unnest(${changed.map(({ place }) => place)}::tid[],
      ${changed.map(({ rejected }) => rejected)}::text[]) as verdict (place, rejected)
    where r.day = ${day}::date and r.ctid = verdict.place`.execute(db);
}
