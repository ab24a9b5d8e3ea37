import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';
import type { ClaimRequest, FailureLane } from '../../foundation/sending/index.ts';
import { longestFeedWait } from './feed-states.sql.ts';

// Statements on both tables of those who are told of feeds: feed_notifications and hub_subscriptions.

/** Between two requests to one of them about one show (NOTIFY-10). */
const pause = sql`interval '30 seconds'`;

const isIn: Readonly<Record<FailureLane, RawBuilder<unknown>>> = {
  regular: sql`due_at is not null and failures = 0`,
  retry: sql`due_at is not null and failures > 0`,
};

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

const isClaimed = (table: ToldTable, { id, podcastId, who }: ToldRow) =>
  sql`told.podcast_id = ${podcastId} and ${sql.ref(`told.${table.who}`)} = ${who}
    and told.claim = ${id}`;

/**
 * When the next request to a row may leave, now or at the end of its pause: at the latest one pause
 * from now, also if the clock was set back.
 */
export const dueAfterPause = (now: Date) =>
  sql`least(greatest(${now}, told.sent_at + ${pause}), ${now}::timestamptz + ${pause})`;

/**
 * Whether a row is to be told of the feed with this digest. One that failed is told of a new feed as
 * soon as any other, and of an old one when its retry is due.
 */
export const isToBeTold = (digest: Buffer, hasChanged: boolean, now: Date) =>
  sql`told.digest is distinct from ${digest}
    and (told.due_at is null or told.due_at > ${dueAfterPause(now)})
    and (${hasChanged}::boolean or told.failures = 0)`;

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
    returning,
  }: { readonly isWanted: RawBuilder<unknown>; readonly returning: RawBuilder<unknown> },
): Promise<(Claimed & { id: string; podcastId: string })[]> {
  const direction = first === 'oldest' ? sql`asc` : sql`desc`;
  const who = sql.ref(table.who);
  const { rows } = await sql<Claimed & { podcastId: string }>`
    with due as (
      select podcast_id, ${who} from ${tableOf(table)}
      where ${isIn[lane]} and due_at <= ${at} and claim is null and ${isWanted}
      order by due_at ${direction} limit ${limit} for update skip locked
    )
    update ${tableOf(table)} told set due_at = null, claim = ${id}, claimed_until = ${until}
    from due where told.podcast_id = due.podcast_id
      and ${sql.ref(`told.${table.who}`)} = ${sql.ref(`due.${table.who}`)}
    returning told.podcast_id as "podcastId", ${returning}`.execute(db);
  return rows.map((row) => ({ ...row, id }));
}

/**
 * Records that a row is about to be told. Undefined if there is nothing to tell, or if the claim has
 * ended.
 */
export async function beginTelling<Told extends object = object>(
  db: Db,
  table: ToldTable,
  row: ToldRow,
  now: Date,
  returning: RawBuilder<unknown> = sql`told.failures`,
): Promise<(Told & { digest: Buffer; failures: number }) | undefined> {
  const { rows } = await sql<Told & { digest: Buffer; failures: number }>`
    update ${tableOf(table)} told set sent_at = ${now}
    from feed_states feed
    where ${isClaimed(table, row)} and feed.podcast_id = told.podcast_id
      and feed.digest is distinct from told.digest and feed.digest is not null
    returning feed.digest, told.failures, ${returning}`.execute(db);
  return rows[0];
}

/** After what changed meanwhile, the next request leaves when the pause is over. */
const nextDue = sql`case when told.due_at is not null
  then greatest(told.due_at, told.sent_at + ${pause}) end`;

export async function endTold(
  db: Db,
  table: ToldTable,
  row: ToldRow,
  told: { readonly digest: Buffer; readonly status: number; readonly at: Date },
): Promise<void> {
  await sql`
    update ${tableOf(table)} told set claim = null, claimed_until = null, failures = 0,
      first_failed_at = null, digest = ${told.digest}, told_at = ${told.at},
      last_status = ${told.status}, last_error = null, due_at = ${nextDue}
    where ${isClaimed(table, row)}`.execute(db);
}

/** `retryAt` null: no retry until the feed changes. */
export async function endFailed(
  db: Db,
  table: ToldTable,
  row: ToldRow,
  failed: {
    readonly failures: number;
    readonly at: Date;
    readonly retryAt: Date | null;
    readonly status: number | null;
    readonly error: string;
  },
): Promise<void> {
  const { failures, at, retryAt, status, error } = failed;
  await sql`
    update ${tableOf(table)} told set claim = null, claimed_until = null,
      failures = ${failures}, first_failed_at = coalesce(told.first_failed_at, ${at}),
      last_status = ${status}, last_error = ${error},
      due_at = least(${retryAt}::timestamptz, ${nextDue})
    where ${isClaimed(table, row)}`.execute(db);
}

/** There was nothing to tell. */
export async function endNeedless(db: Db, table: ToldTable, row: ToldRow): Promise<void> {
  await sql`
    update ${tableOf(table)} told set claim = null, claimed_until = null, failures = 0,
      first_failed_at = null, last_error = null
    where ${isClaimed(table, row)}`.execute(db);
}

/** This one isn't told of this show now. It will be when it may be. */
export async function endUnwanted(db: Db, table: ToldTable, row: ToldRow): Promise<void> {
  await sql`
    update ${tableOf(table)} told set claim = null, claimed_until = null, digest = null,
      failures = 0, first_failed_at = null, last_error = null
    where ${isClaimed(table, row)}`.execute(db);
}

/** Nothing was sent. It is due again at `dueAt` or earlier. */
export async function releaseTold(
  db: Db,
  table: ToldTable,
  row: ToldRow,
  dueAt: Date,
): Promise<void> {
  await sql`
    update ${tableOf(table)} told set claim = null, claimed_until = null,
      due_at = least(told.due_at, ${dueAt})
    where ${isClaimed(table, row)}`.execute(db);
}

/** By the indexes …_claimed, …_due and …_to_retry. */
export async function releaseLostRows(db: Db, table: ToldTable, now: Date): Promise<void> {
  await sql`
    update ${tableOf(table)} set claim = null, claimed_until = null, due_at = ${now}
    where claimed_until is not null and (claimed_until <= ${now}
      or claimed_until > ${now}::timestamptz + ${longestFeedWait})`.execute(db);
  for (const isInLane of Object.values(isIn)) {
    await sql`update ${tableOf(table)} set due_at = ${now}
      where ${isInLane} and due_at > ${now}::timestamptz + ${longestFeedWait}`.execute(db);
  }
}
