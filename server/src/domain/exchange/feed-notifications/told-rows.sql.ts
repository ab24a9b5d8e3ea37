import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';
import {
  type ClaimRequest,
  type FailureLane,
  releaseLostClaims,
} from '../../foundation/sending/index.ts';
import { longestFeedWait } from './feed-states.sql.ts';

// Statements on both tables of those who are told of feeds: feed_notifications and hub_subscriptions.

/** Between two requests to one of them about one show (NOTIFY-10). */
const pause = sql`interval '30 seconds'`;

const isIn: Readonly<Record<FailureLane, RawBuilder<unknown>>> = {
  regular: sql`due_at is not null and failures = 0`,
  retry: sql`due_at is not null and failures > 0`,
};

const isInSlowly = (isSlow: RawBuilder<unknown>): typeof isIn => ({
  regular: sql`${isIn.regular} and not ${isSlow}`,
  retry: sql`(${isIn.retry} or ${isIn.regular} and ${isSlow})`,
});

/** One of the tables: who is in a row, beside its podcast. */
export interface ToldTable {
  readonly name: 'feed_notifications' | 'hub_subscriptions';
  readonly who: 'channel' | 'callback_hash';
}

/** A claimed row. */
export interface ToldRow {
  readonly id: string;
  readonly podcastId: string;
  readonly who: string | Buffer;
}

const tableOf = ({ name }: ToldTable) => sql.table(name);
const whoOf = ({ who }: ToldTable) => sql.ref(`told.${who}`);

const isClaimed = (table: ToldTable, { id, podcastId, who }: ToldRow) =>
  sql`told.podcast_id = ${podcastId} and ${whoOf(table)} = ${who}
    and told.claim = ${id}`;

/**
 * When the next request to a row of this name may leave, now or at the end of its pause: at the latest
 * one pause from now, also if the clock was set back.
 */
export const dueAfterPause = (now: Date, row = 'told') =>
  sql`least(greatest(${now}, ${sql.ref(`${row}.sent_at`)} + ${pause}),
    ${now}::timestamptz + ${pause})`;

/** A public feed, as a comparison has found it. */
export interface ComparedFeed {
  readonly podcastId: string;
  readonly digest: Buffer;
  /** Since the last comparison. */
  readonly hasChanged: boolean;
}

/** Rows `compared`. */
export function comparedRows(feeds: readonly ComparedFeed[]): RawBuilder<unknown> {
  const ids = feeds.map(({ podcastId }) => podcastId);
  const digests = feeds.map(({ digest }) => digest);
  const changed = feeds.map(({ hasChanged }) => hasChanged);
  return sql`unnest(${ids}::uuid[], ${digests}::bytea[], ${changed}::boolean[])
    compared (podcast_id, digest, has_changed)`;
}

/**
 * Makes the rows of these feeds due that were last told of another one. One that failed is told of a new
 * feed as soon as any other, and of an old one when its retry is due. In the order of their keys, to
 * avoid deadlocks.
 */
export async function makeToldDue(
  db: Db,
  table: ToldTable,
  feeds: readonly ComparedFeed[],
  isWanted: RawBuilder<unknown>,
  now: Date,
): Promise<void> {
  await sql`
    with late as (
      select told.podcast_id, ${whoOf(table)} as who
      from ${comparedRows(feeds)} join ${tableOf(table)} told on told.podcast_id = compared.podcast_id
      where ${isWanted} and told.digest is distinct from compared.digest
        and (told.due_at is null or told.due_at > ${dueAfterPause(now)})
        and (compared.has_changed or told.failures = 0)
      order by told.podcast_id, ${whoOf(table)} for update of told
    )
    update ${tableOf(table)} told set due_at = ${dueAfterPause(now)}
    from late where told.podcast_id = late.podcast_id and ${whoOf(table)} = late.who`.execute(db);
}

/** Feeds that aren't public are announced to nobody, and to everybody when they are public again. */
export async function withdrawTold(
  db: Db,
  table: ToldTable,
  podcastIds: readonly string[],
): Promise<void> {
  await sql`
    with withdrawn as (
      select told.podcast_id, ${whoOf(table)} as who from ${tableOf(table)} told
      where told.podcast_id = any (${podcastIds}::uuid[])
      order by told.podcast_id, ${whoOf(table)} for update
    )
    update ${tableOf(table)} told set due_at = null, digest = null
    from withdrawn
    where told.podcast_id = withdrawn.podcast_id and ${whoOf(table)} = withdrawn.who`.execute(db);
}

/** The lanes in which something is due. By the indexes …_due and …_to_retry. */
export async function selectToldWork(
  db: Db,
  table: ToldTable,
  isWanted: RawBuilder<unknown>,
  now: Date,
): Promise<FailureLane[]> {
  const isDue = sql`due_at <= ${now} and claim is null and ${isWanted}`;
  const { rows } = await sql<Record<FailureLane, boolean>>`
    select exists (select from ${tableOf(table)} where ${isIn.regular} and ${isDue}) as regular,
      exists (select from ${tableOf(table)} where ${isIn.retry} and ${isDue}) as retry`.execute(db);
  const [due] = rows;
  return (['regular', 'retry'] as const).filter((lane) => due?.[lane]);
}

/** By the indexes …_due and …_to_retry. */
export async function claimToldRows<Claimed extends object>(
  db: Db,
  table: ToldTable,
  lane: FailureLane,
  { id, at, until, limit, first }: ClaimRequest,
  {
    isWanted,
    isSlow,
    returning,
  }: {
    readonly isWanted: RawBuilder<unknown>;
    /** What has the lane of failures without one. */
    readonly isSlow?: RawBuilder<unknown> | undefined;
    readonly returning: RawBuilder<unknown>;
  },
): Promise<(Claimed & { id: string; podcastId: string })[]> {
  const direction = first === 'oldest' ? sql`asc` : sql`desc`;
  const who = sql.ref(table.who);
  const lanes = isSlow === undefined ? isIn : isInSlowly(isSlow);
  const { rows } = await sql<Claimed & { podcastId: string }>`
    with due as (
      select podcast_id, ${who} from ${tableOf(table)}
      where ${lanes[lane]} and due_at <= ${at} and claim is null and ${isWanted}
      order by due_at ${direction} limit ${limit} for update skip locked
    )
    update ${tableOf(table)} told set due_at = null, claim = ${id}, claimed_until = ${until}
    from due where told.podcast_id = due.podcast_id
      and ${whoOf(table)} = ${sql.ref(`due.${table.who}`)}
    returning told.podcast_id as "podcastId", ${returning}`.execute(db);
  return rows.map((row) => ({ ...row, id }));
}

/** Rows `asked`, in their order: `place` counts from 1. */
function askedRows(
  { who }: ToldTable,
  rows: readonly ToldRow[],
  more: Readonly<Record<string, RawBuilder<unknown>>> = {},
): RawBuilder<unknown> {
  const whoType = sql.raw(who === 'channel' ? 'text[]' : 'bytea[]');
  const keys = [
    sql`${rows.map(({ podcastId }) => podcastId)}::uuid[]`,
    sql`${rows.map((row) => row.who)}::${whoType}`,
    sql`${rows.map(({ id }) => id)}::uuid[]`,
  ];
  const names = ['podcast_id', 'who', 'claim', ...Object.keys(more), 'place'].map((name) =>
    sql.ref(name),
  );
  return sql`unnest(${sql.join([...keys, ...Object.values(more)])})
    with ordinality asked (${sql.join(names)})`;
}

const isAsked = (table: ToldTable) =>
  sql`told.podcast_id = asked.podcast_id and ${whoOf(table)} = asked.who
    and told.claim = asked.claim`;

/**
 * Records that rows are about to be told. Undefined for those to which there is nothing to tell, and
 * whose claim has ended. In the order of their keys, to avoid deadlocks.
 */
export async function beginTelling<Told extends object = object>(
  db: Db,
  table: ToldTable,
  rows: readonly ToldRow[],
  now: Date,
  returning: RawBuilder<unknown> = sql`told.failures`,
): Promise<((Told & BegunTelling) | undefined)[]> {
  const { rows: begun } = await sql<Told & BegunTelling & { place: number }>`
    with begun as (
      select told.podcast_id, ${whoOf(table)} as who, asked.place, feed.digest
      from ${askedRows(table, rows)} join ${tableOf(table)} told on ${isAsked(table)}
      join feed_states feed on feed.podcast_id = told.podcast_id
      where feed.digest is distinct from told.digest and feed.digest is not null
      order by told.podcast_id, ${whoOf(table)} for update of told
    )
    update ${tableOf(table)} told set sent_at = ${now}
    from begun where told.podcast_id = begun.podcast_id and ${whoOf(table)} = begun.who
    returning begun.place, begun.digest, told.failures, ${returning}`.execute(db);
  const byPlace = new Map(begun.map((one) => [one.place, one]));
  return rows.map((_, index) => byPlace.get(index + 1));
}

/** Before a request. */
export interface BegunTelling {
  /** Of the feed. */
  readonly digest: Buffer;
  readonly failures: number;
}

/** After what changed in the meantime, the next request leaves when the pause is over. */
const nextDue = sql`case when told.due_at is not null
  then greatest(told.due_at, told.sent_at + ${pause}) end`;

/** What came of a request. */
export interface EndedTelling {
  readonly row: ToldRow;
  readonly at: Date;
  /** Of the feed; null: the request has failed. */
  readonly digest: Buffer | null;
  /** In a row; 0: it has arrived. */
  readonly failures: number;
  /** Null: no retry until the feed changes. */
  readonly retryAt: Date | null;
  readonly status: number | null;
  readonly error: string | null;
}

/** Stores results. In the order of their keys, to avoid deadlocks. */
export async function endTelling(
  db: Db,
  table: ToldTable,
  ended: readonly EndedTelling[],
): Promise<void> {
  const of = <Field extends keyof EndedTelling>(field: Field) => ended.map((one) => one[field]);
  const asked = askedRows(table, of('row'), {
    at: sql`${of('at')}::timestamptz[]`,
    digest: sql`${of('digest')}::bytea[]`,
    failures: sql`${of('failures')}::integer[]`,
    retry_at: sql`${of('retryAt')}::timestamptz[]`,
    status: sql`${of('status')}::integer[]`,
    error: sql`${of('error')}::text[]`,
  });
  await sql`
    with ended as (
      select asked.* from ${asked}
      join ${tableOf(table)} told on ${isAsked(table)}
      order by told.podcast_id, ${whoOf(table)} for update of told
    )
    update ${tableOf(table)} told set claim = null, claimed_until = null,
      failures = ended.failures,
      first_failed_at = case when ended.failures > 0
        then coalesce(told.first_failed_at, ended.at) end,
      digest = coalesce(ended.digest, told.digest),
      told_at = case when ended.failures = 0 then ended.at else told.told_at end,
      last_status = ended.status, last_error = ended.error,
      due_at = least(ended.retry_at, ${nextDue})
    from ended where told.podcast_id = ended.podcast_id and ${whoOf(table)} = ended.who`.execute(
    db,
  );
}

/** There was nothing to tell. */
export async function endNeedless(db: Db, table: ToldTable, row: ToldRow): Promise<void> {
  await sql`
    update ${tableOf(table)} told set claim = null, claimed_until = null, failures = 0,
      first_failed_at = null, last_error = null
    where ${isClaimed(table, row)}`.execute(db);
}

/** This one isn't notified of this show now. It will be when it may be. */
export async function endUnwanted(db: Db, table: ToldTable, row: ToldRow): Promise<void> {
  await sql`
    update ${tableOf(table)} told set claim = null, claimed_until = null, digest = null,
      failures = 0, first_failed_at = null, last_error = null
    where ${isClaimed(table, row)}`.execute(db);
}

/** Nothing came of it. It is due again at `dueAt`, or at the end of the pause, or earlier. */
export async function releaseTold(
  db: Db,
  table: ToldTable,
  row: ToldRow,
  dueAt: Date,
): Promise<void> {
  await sql`
    update ${tableOf(table)} told set claim = null, claimed_until = null,
      due_at = least(told.due_at, ${dueAfterPause(dueAt)})
    where ${isClaimed(table, row)}`.execute(db);
}

/** The request may have left, so the next one waits for the end of the pause. */
export const releaseLostRows = (db: Db, { name }: ToldTable, now: Date): Promise<void> =>
  releaseLostClaims(db, name, {
    ...{ now, longest: longestFeedWait },
    dueAt: dueAfterPause(now, 'queue'),
  });

/** By the indexes …_due and …_to_retry. */
export async function hastenTold(db: Db, table: ToldTable, now: Date): Promise<void> {
  for (const isInLane of Object.values(isIn)) {
    await sql`update ${tableOf(table)} set due_at = ${now}
      where ${isInLane} and due_at > ${now}::timestamptz + ${longestFeedWait}`.execute(db);
  }
}
