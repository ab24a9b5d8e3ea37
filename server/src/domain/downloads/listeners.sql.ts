import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../database.ts';
import { writeMultirange } from './multirange.ts';
import type { Receipt } from './receipt-book.ts';
import { applyDifferences } from './sums.sql.ts';

/** A set of ranges with more pieces grows no more: it comes from no player. */
const maxPieces = 2_000;

/** Byte order, as in `receipt-book.ts`, whatever the order of the database. */
const earliest = (row: string) =>
  sql.raw(
    `(${row}.first_at, ${row}.source collate "C", coalesce(${row}.referrer, '') collate "C")`,
  );

const pieces = (audio: string) => sql.raw(`(select count(*) from unnest(${audio}))`);
const bytes = (audio: string) =>
  sql.raw(`(select sum(upper(r) - lower(r)) from unnest(${audio}) as r)`);

/** Receipts in the shape of `download_listeners`; those for podcasts that are gone are left out. */
function rowsOf(receipts: readonly Receipt[]): RawBuilder<unknown> {
  const column = <T>(read: (receipt: Receipt) => T) => receipts.map(read);
  return sql`
    select day, podcast_id, episode_id, decode(listener, 'hex') as listener,
      decode(file, 'hex') as file, needed_bytes, audio, counted, first_at, source, referrer, app,
      device, country
    from unnest(
      ${column(({ day }) => day)}::date[],
      ${column(({ podcastId }) => podcastId)}::uuid[],
      ${column(({ episodeId }) => episodeId)}::uuid[],
      ${column(({ listener }) => listener)}::text[],
      ${column(({ file }) => file)}::text[],
      ${column(({ neededBytes }) => neededBytes)}::bigint[],
      ${column(({ audio }) => writeMultirange(audio))}::int8multirange[],
      ${column(({ isEnough }) => isEnough)}::boolean[],
      ${column(({ first }) => first.at)}::timestamptz[],
      ${column(({ first }) => first.source)}::text[],
      ${column(({ first }) => first.referrer)}::text[],
      ${column(({ first }) => first.app)}::text[],
      ${column(({ first }) => first.device)}::text[],
      ${column(({ first }) => first.country ?? 'unknown')}::text[]
    ) as given (day, podcast_id, episode_id, listener, file, needed_bytes, audio, counted, first_at,
      source, referrer, app, device, country)
    where podcast_id in (select id from podcasts)`;
}

/** Unites the rows of `incoming` with those of a table. Returns the rows that changed. */
const writeIncoming = (table: string): RawBuilder<unknown> => sql`
  insert into ${sql.table(table)} as kept select * from incoming
  on conflict (day, podcast_id, listener, episode_id, file) do update set
    audio = case when kept.counted or ${pieces('kept.audio')} > ${sql.lit(maxPieces)}
      then kept.audio else kept.audio + excluded.audio end,
    counted = kept.counted or excluded.counted or (kept.needed_bytes > 0
      and ${bytes('kept.audio + excluded.audio')} >= kept.needed_bytes),
    first_at = least(kept.first_at, excluded.first_at),
    source = case when ${earliest('excluded')} < ${earliest('kept')}
      then excluded.source else kept.source end,
    referrer = case when ${earliest('excluded')} < ${earliest('kept')}
      then excluded.referrer else kept.referrer end
  where not kept.counted or ${earliest('excluded')} < ${earliest('kept')}
  returning kept.*`;

/** An empty table for the receipts that this transaction is going to add. */
export async function prepareIncoming(db: Db): Promise<void> {
  await sql`create temp table if not exists incoming_listeners
    (like download_listeners) on commit delete rows`.execute(db);
}

/** Each receipt once, whatever the number of calls. */
export async function stageReceipts(db: Db, receipts: readonly Receipt[]): Promise<void> {
  await sql`insert into incoming_listeners ${rowsOf(receipts)}`.execute(db);
}

/**
 * Adds the staged receipts to what their listeners have received, and the downloads that this makes
 * to the sums. Returns the number of new downloads. Requires the lock of the sums, and all in one
 * statement: every part of it sees the tables as they were before.
 */
export async function addStagedReceipts(db: Db): Promise<number> {
  const { rows } = await sql<{ readonly counted: number }>`
    with incoming as (select * from incoming_listeners),
    written as (${writeIncoming('download_listeners')}),
    before as materialized (
      select kept.* from download_listeners kept
      join (select distinct day, podcast_id, listener from written) as touched
        using (day, podcast_id, listener)
    ), after as materialized (
      select * from written
      union all
      select * from before where (day, podcast_id, listener, episode_id, file) not in (
        select day, podcast_id, listener, episode_id, file from written)
    ), ${applyDifferences}
    select coalesce(sum(n), 0)::int as counted from changed`.execute(db);
  // The transaction may stage more.
  await sql`delete from incoming_listeners`.execute(db);
  return rows[0]?.counted ?? 0;
}

/** For a recount: the listeners of one day, apart from those that are counted now. */
export async function createRecountedListeners(db: Db): Promise<void> {
  await sql`create temp table recounted_listeners
    (like download_listeners including indexes) on commit drop`.execute(db);
}

export async function addRecounted(db: Db, receipts: readonly Receipt[]): Promise<void> {
  await sql`with incoming as materialized (${rowsOf(receipts)}),
    written as (${writeIncoming('recounted_listeners')})
    select count(*) from written`.execute(db);
}

/** Puts the recounted listeners of a day in the place of the others, and brings the sums along. */
export async function replaceListeners(db: Db, day: string): Promise<void> {
  await sql`
    with before as materialized (select * from download_listeners where day = ${day}::date),
    after as materialized (select * from recounted_listeners),
    ${applyDifferences}
    select count(*) from changed`.execute(db);
  await sql`delete from download_listeners where day = ${day}::date`.execute(db);
  await sql`insert into download_listeners select * from recounted_listeners`.execute(db);
  await sql`truncate recounted_listeners`.execute(db);
}
