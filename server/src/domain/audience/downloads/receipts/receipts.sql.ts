import { sql } from 'kysely';
import type { ByteRange } from '../../../../lib/byte-range.ts';
import { createYielder } from '../../../../lib/time-slices.ts';
import type { UtcDay } from '../../../../lib/utc-day.ts';
import { bigintArray, byteaArray, uuidArray } from '../../../../platform/database/binary-array.ts';
import { BinaryRows } from '../../../../platform/database/binary-rows.ts';
import { copyIn } from '../../../../platform/database/copy-in.ts';
import type { Db } from '../../../foundation/database.ts';
import { type Crowd, mostListenersOf } from './crowds.ts';
import type { Listener, Origin, Receipt } from './receipt.ts';
import { lastStage, stageParts } from './stages.ts';

/** PostgreSQL writes sets of ranges as `{[0,10),[20,30)}`. These do not include their ends. */
export function parseMultirange(text: string): ByteRange[] {
  return [...text.matchAll(/\[(\d+),(\d+)\)/g)].map(([, start, end]) => ({
    start: Number(start),
    end: Number(end) - 1,
  }));
}

/** A row of download_listeners. */
export interface StoredReceipt extends Receipt {
  /** Where the row stands in the partition of its day. It holds until the row is changed. */
  readonly place: string;
}

interface Row extends Origin, Omit<StoredReceipt, keyof Listener | 'audio' | 'first'> {
  /** The position in the list of listeners, from 1. */
  readonly number: number;
  readonly audio: string;
}

interface Wanted {
  /** By default of all episodes. */
  readonly episodeIds?: readonly string[];
  /** Of each listener only so many. */
  readonly atMostOfEach?: number;
  /** Nothing, if there are more. */
  readonly atMost?: number;
}

/** Of a row of download_listeners, as `kept`, with its place. */
const receiptColumns = sql`kept.place::text, kept.episode_id as "episodeId",
  encode(kept.file, 'hex') as file, kept.needed_bytes as "neededBytes", kept.audio,
  kept.counted as "isCounted", kept.first_at as at, kept.source, kept.referrer, kept.app, kept.device,
  kept.country, kept.log_begun_on as "logBegunOn",
  lpad(to_hex(kept.address_hash), 16, '0') as "addressHash"`;

function toReceipt({ day, podcastId, listener }: Listener, row: Row): StoredReceipt {
  const { number: _, audio, at, source, referrer, app, device, country, ...rest } = row;
  const first = { at, source, referrer, app, device, country };
  return { day, podcastId, listener, ...rest, audio: parseMultirange(audio), first };
}

/**
 * The stored receipts of listeners of a day, in the order of the listeners. Undefined: they are more
 * than `atMost`. Yields to other tasks.
 */
export async function selectReceipts(
  db: Db,
  day: UtcDay,
  listeners: readonly Listener[],
  { episodeIds, atMostOfEach, atMost }: Wanted,
): Promise<StoredReceipt[][] | undefined> {
  const podcasts = uuidArray(listeners.map(({ podcastId }) => podcastId));
  const hashes = byteaArray(
    listeners.map(({ listener }) => listener),
    16,
  );
  const ofEpisodes =
    episodeIds === undefined
      ? sql``
      : sql`and stored.episode_id = any(${uuidArray(episodeIds)}::uuid[])`;
  const limit = (rows?: number) => (rows === undefined ? sql`` : sql`limit ${sql.lit(rows)}`);
  // By index: the planner cannot make another join of a lateral one with an offset (0038).
  const { rows } = await sql<Row>`
    select number::int, ${receiptColumns}
    from unnest(${podcasts}::uuid[], ${hashes}::bytea[])
      with ordinality as wanted (podcast_id, listener, number)
    cross join lateral (
      select ctid as place, * from download_listeners stored where stored.day = ${day}::date
        and stored.podcast_id = wanted.podcast_id and stored.listener = wanted.listener ${ofEpisodes}
      offset 0 ${limit(atMostOfEach)}
    ) kept ${limit(atMost && atMost + 1)}`.execute(db);
  if (atMost !== undefined && rows.length > atMost) return undefined;
  const maybeYield = createYielder();
  const found: StoredReceipt[][] = listeners.map(() => []);
  for (const row of rows) {
    const wanted = listeners[row.number - 1];
    if (wanted === undefined) continue;
    found[row.number - 1]?.push(toReceipt({ ...wanted, day }, row));
    const pause = maybeYield();
    if (pause !== undefined) await pause;
  }
  return found;
}

/** By the indexes of addresses and sites. The latter has only the odd hashes (`markHash`). */
const sameNetwork = {
  address: sql`uuid_hash_extended(stored.episode_id, stored.address_hash)
      = uuid_hash_extended(wanted.episode_id, wanted.address_hash)
    and stored.address_hash = wanted.address_hash`,
  site: sql`uuid_hash_extended(stored.episode_id, stored.address_hash >> 32)
      = uuid_hash_extended(wanted.episode_id, wanted.address_hash >> 32)
    and stored.address_hash >> 32 = wanted.address_hash >> 32 and stored.address_hash & 1 = 1`,
};

/** The stored receipts of crowds. */
const ofCrowd = (day: UtcDay, of: Crowd['of']) => sql`from download_listeners stored
  where stored.day = ${day}::date and stored.episode_id = wanted.episode_id and ${sameNetwork[of]}`;

const crowdsOf = (crowds: readonly Crowd[]) =>
  sql`${uuidArray(crowds.map(({ episodeId }) => episodeId))}::uuid[],
    ${bigintArray(crowds.map(({ addressHash }) => addressHash))}::bigint[]`;

/** The places in the list of those crowds of a kind that may have too many listeners with their new ones. */
export async function findFullCrowds(
  db: Db,
  { day, of }: Pick<Crowd, 'of'> & { readonly day: UtcDay },
  crowds: readonly (Crowd & { readonly listeners: number })[],
): Promise<number[]> {
  const listeners = crowds.map((crowd) => crowd.listeners);
  const most = sql.lit(mostListenersOf[of]);
  const { rows } = await sql<{ readonly place: number }>`
    select number::int - 1 as place
    from unnest(${crowdsOf(crowds)}, ${listeners}::int[])
      with ordinality as wanted (episode_id, address_hash, listeners, number)
    cross join lateral (
      select count(*) as receipts from (select ${ofCrowd(day, of)} limit ${most}) as found
    ) stored
    where stored.receipts + wanted.listeners > ${most}`.execute(db);
  return rows.map(({ place }) => place);
}

/** As `stageOf`. */
const storedStage = sql`case when stored.counted then ${sql.lit(lastStage)} else (
  select ${sql.join(
    stageParts.map(
      (part) => sql`(coalesce(sum(upper(piece) - lower(piece)), 0) * ${sql.lit(part)}
        >= stored.needed_bytes)::int`,
    ),
    sql` + `,
  )} from unnest(stored.audio) piece) end`;

/** The hashes of a crowd's stored listeners, and their stages. */
export async function selectCrowd(
  db: Db,
  day: UtcDay,
  crowd: Crowd,
): Promise<{ readonly listener: string; readonly stage: number }[]> {
  const { rows } = await sql<{ readonly listener: string; readonly stage: number }>`
    select encode(stored.listener, 'hex') as listener, max(stored.stage) as stage
    from unnest(${crowdsOf([crowd])}) as wanted (episode_id, address_hash)
    cross join lateral (
      select stored.listener, ${storedStage} as stage ${ofCrowd(day, crowd.of)}
    ) stored
    group by stored.listener`.execute(db);
  return rows;
}

/** A receipt of a listener who is in crowds. */
export interface CrowdReceipt extends Receipt {
  readonly addressHash: string;
}

/** What is stored of the episodes and the listeners of other receipts of that day. */
export async function selectReceiptsOf(
  db: Db,
  day: UtcDay,
  others: readonly CrowdReceipt[],
): Promise<StoredReceipt[]> {
  const episodes = uuidArray(others.map(({ episodeId }) => episodeId));
  const addresses = bigintArray(others.map(({ addressHash }) => addressHash));
  const listeners = byteaArray(
    others.map(({ listener }) => listener),
    16,
  );
  // Each crowd is read once, whatever the number of its listeners.
  const { rows } = await sql<Row>`
    with other as materialized (
      select * from unnest(${episodes}::uuid[], ${addresses}::bigint[], ${listeners}::bytea[])
        with ordinality as given (episode_id, address_hash, listener, number)
    )
    select other.number::int, ${receiptColumns}
    from (select distinct episode_id, address_hash from other) wanted
    cross join lateral (
      select stored.ctid as place, stored.* ${ofCrowd(day, 'address')} offset 0
    ) kept
    join other on other.listener = kept.listener and other.episode_id = kept.episode_id
      and other.address_hash = kept.address_hash`.execute(db);
  const maybeYield = createYielder();
  const receipts: StoredReceipt[] = [];
  for (const row of rows) {
    const other = others[row.number - 1];
    if (other !== undefined) receipts.push(toReceipt(other, row));
    const pause = maybeYield();
    if (pause !== undefined) await pause;
  }
  return receipts;
}

/** The listener's receipts that are not of these episodes. */
const ofOthers = (day: UtcDay, { podcastId, listener }: Listener, episodeIds: readonly string[]) =>
  sql`from download_listeners where day = ${day}::date and podcast_id = ${podcastId}::uuid
    and listener = decode(${listener}, 'hex')
    and episode_id <> all(${uuidArray(episodeIds)}::uuid[])`;

export async function hasOtherDownloads(
  db: Db,
  day: UtcDay,
  listener: Listener,
  episodeIds: readonly string[],
): Promise<boolean> {
  const { rows } = await sql`
    select ${ofOthers(day, listener, episodeIds)} and counted limit 1`.execute(db);
  return rows.length > 0;
}

/** The other episodes of which the listener has receipts. */
export async function selectOtherEpisodes(
  db: Db,
  day: UtcDay,
  listener: Listener,
  episodeIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ readonly id: string }>`
    select distinct episode_id as id ${ofOthers(day, listener, episodeIds)}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Of one day. Requires the lock of the sums, so that the rows still stand in their places. */
export async function deleteReceipts(
  db: Db,
  day: UtcDay,
  receipts: readonly StoredReceipt[],
): Promise<void> {
  if (receipts.length === 0) return;
  // Those of one log and day stand in one partition, in which a place means one row.
  for (const [log, some] of Map.groupBy(receipts, ({ logBegunOn }) => logBegunOn)) {
    const ofLog = log === null ? sql`log_begun_on is null` : sql`log_begun_on = ${log}::date`;
    const places = some.map(({ place }) => place);
    await sql`delete from download_listeners
      where day = ${day}::date and ${ofLog} and ctid = any(${places}::tid[])`.execute(db);
  }
}

/** Rows for `copyReceipts`. Yields to other tasks. */
export async function encodeReceipts(receipts: readonly Receipt[]): Promise<Buffer> {
  const maybeYield = createYielder();
  const rows = new BinaryRows();
  for (const receipt of receipts) {
    writeReceipt(rows, receipt);
    const pause = maybeYield();
    if (pause !== undefined) await pause;
  }
  return rows.finish();
}

export async function copyReceipts(db: Db, rows: Buffer): Promise<void> {
  const copy = `copy download_listeners (day, podcast_id, episode_id, listener, file, needed_bytes,
    audio, counted, first_at, source, referrer, app, device, country, log_begun_on,
    address_hash)
    from stdin (format binary)`;
  await copyIn(db, copy, rows);
}

function writeReceipt(rows: BinaryRows, receipt: Receipt): void {
  const { first } = receipt;
  rows.begin(16);
  rows.date(receipt.day);
  rows.uuid(receipt.podcastId);
  rows.uuid(receipt.episodeId);
  rows.hex(receipt.listener, 16);
  rows.hex(receipt.file, 8);
  rows.int8(receipt.neededBytes);
  rows.multirange(receipt.audio);
  rows.boolean(receipt.isCounted);
  rows.timestamp(first.at);
  rows.text(first.source);
  rows.text(first.referrer);
  rows.text(first.app);
  rows.text(first.device);
  rows.text(first.country);
  rows.date(receipt.logBegunOn);
  rows.hex(receipt.addressHash, 8);
}
