import { type RawBuilder, sql } from 'kysely';
import { BinaryRows } from '../../platform/database/binary-rows.ts';
import { copyIn } from '../../platform/database/copy-in.ts';
import type { Db } from '../database.ts';
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

const columnNames = `day, podcast_id, episode_id, listener, file, needed_bytes, audio, counted,
  first_at, source, referrer, app, device, country`;
const columns = sql.raw(columnNames);
const key = sql.raw('day, podcast_id, listener, episode_id, file');

/** Unites these rows with those of a table. Returns the rows that changed. */
const writeIncoming = (table: string, rows: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into ${sql.table(table)} as kept (${columns}) ${rows}
  on conflict (${key}) do update set
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
  // It would compile each statement anew, which takes longer than to run it.
  await sql`set local jit = off`.execute(db);
}

/** Each receipt once, whatever the number of calls. */
export async function stageReceipts(db: Db, receipts: readonly Receipt[]): Promise<void> {
  const rows = new BinaryRows();
  for (const receipt of receipts) writeReceipt(rows, receipt);
  const copy = `copy incoming_listeners (${columnNames}) from stdin (format binary)`;
  await copyIn(db, copy, rows.finish());
}

function writeReceipt(rows: BinaryRows, receipt: Receipt): void {
  const { first } = receipt;
  rows.begin(14);
  rows.date(receipt.day);
  rows.uuid(receipt.podcastId);
  rows.uuid(receipt.episodeId);
  rows.hex(receipt.listener, 16);
  rows.hex(receipt.file, 8);
  rows.int8(receipt.neededBytes);
  rows.multirange(receipt.audio);
  rows.boolean(receipt.isEnough);
  rows.timestamp(first.at);
  rows.text(first.source);
  rows.text(first.referrer);
  rows.text(first.app);
  rows.text(first.device);
  rows.text(first.country ?? 'unknown');
}

/**
 * Adds the staged receipts to what their listeners have received, and the downloads that this makes
 * to the sums. Returns the number of new downloads. Requires the lock of the sums, and all in one
 * statement: every part of it sees the tables as they were before. Most rows are new, so they are
 * inserted without a look at what they could conflict with. Known rows are found with `in` and
 * `not in`: PostgreSQL hashes them if it expects them to fit into `work_mem`.
 */
export async function addStagedReceipts(db: Db): Promise<number> {
  const { rows } = await sql<{ readonly counted: number }>`
    with known as materialized (
      select kept.* from (select distinct day, podcast_id, listener from incoming_listeners) touched
      cross join lateral (
        select * from download_listeners of_listener where of_listener.day = touched.day
          and of_listener.podcast_id = touched.podcast_id
          and of_listener.listener = touched.listener
        offset 0
      ) kept
    ), first_seen as materialized (
      select * from incoming_listeners where (${key}) not in (select ${key} from known)
    ), inserted as (
      insert into download_listeners (${columns}) select ${columns} from first_seen
    ), written as (${writeIncoming(
      'download_listeners',
      sql`select ${columns} from incoming_listeners
        where coalesce((${key}) in (select ${key} from known), false)`,
    )}), changed_rows as materialized (
      select * from first_seen union all select * from written
    ), before as materialized (
      select * from known where coalesce((day, podcast_id, listener) in (
        select day, podcast_id, listener from changed_rows), false)
    ), after as materialized (
      select * from changed_rows
      union all
      select * from before where (${key}) not in (select ${key} from written)
    ), ${applyDifferences}
    select coalesce(sum(n), 0)::int as counted from changed`.execute(db);
  // The transaction may stage more.
  await deleteStaged(db);
  return rows[0]?.counted ?? 0;
}

async function deleteStaged(db: Db): Promise<void> {
  await sql`delete from incoming_listeners`.execute(db);
}

/** For a recount: the listeners of one day, apart from those that are counted now. */
export async function createRecountedListeners(db: Db): Promise<void> {
  await sql`create temp table recounted_listeners
    (like download_listeners including indexes) on commit drop`.execute(db);
}

/** Adds what is staged, without the podcasts that are gone. */
export async function addStagedToRecounted(db: Db): Promise<void> {
  const staged = sql`select ${columns} from incoming_listeners
    where podcast_id in (select id from podcasts)`;
  await sql`with written as (${writeIncoming('recounted_listeners', staged)})
    select count(*) from written`.execute(db);
  await deleteStaged(db);
}

/**
 * Puts the recounted listeners of a day in the place of the others, and brings the sums along. Podcasts
 * that are gone have neither: `lockPodcastsOfDay` keeps the others until the commit.
 */
export async function replaceListeners(db: Db, day: string): Promise<void> {
  await sql`
    with before as materialized (
      select * from download_listeners
      where day = ${day}::date and podcast_id in (select id from podcasts)),
    after as materialized (select * from recounted_listeners),
    ${applyDifferences}
    select count(*) from changed`.execute(db);
  await sql`delete from download_listeners where day = ${day}::date`.execute(db);
  await sql`insert into download_listeners select * from recounted_listeners`.execute(db);
  await sql`truncate recounted_listeners`.execute(db);
}
