import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';
import type { Claim, ClaimRequest, FailureLane } from '../../foundation/sending/index.ts';
import { longestFeedWait } from './feed-states.sql.ts';

/** Between two requests of a channel about one show (PLANNED-25). */
const pause = sql`interval '30 seconds'`;

const isIn: Readonly<Record<FailureLane, RawBuilder<unknown>>> = {
  regular: sql`due_at is not null and failures = 0`,
  retry: sql`due_at is not null and failures > 0`,
};

/**
 * Makes the channels due that don't know the feed with this digest. One that failed is told of a new
 * feed as soon as any other, and of an old one when its retry is due.
 */
export async function makeChannelsDue(
  db: Db,
  {
    podcastId,
    digest,
    channels,
    hasChanged,
  }: {
    readonly podcastId: string;
    readonly digest: Buffer;
    readonly channels: readonly string[];
    /** Since the last comparison. */
    readonly hasChanged: boolean;
  },
  now: Date,
): Promise<void> {
  // At the latest one pause from now, also if the clock was set back.
  const at = sql`least(greatest(excluded.due_at, told.sent_at + ${pause}), excluded.due_at + ${pause})`;
  await sql`
    insert into feed_notifications as told (podcast_id, channel, due_at)
    select ${podcastId}, channel, ${now} from unnest(${channels}::text[]) channel order by channel
    on conflict (podcast_id, channel) do update set due_at = ${at}
    where told.digest is distinct from ${digest}
      and (told.due_at is null or told.due_at > ${at})
      and (${hasChanged}::boolean or told.failures = 0)`.execute(db);
}

/** A feed that isn't public is announced to nobody, and to everybody when it is public again. */
export async function withdrawNotifications(db: Db, podcastId: string): Promise<void> {
  await db
    .updateTable('feed_notifications')
    .set({ due_at: null, digest: null })
    .where('podcast_id', '=', podcastId)
    .execute();
}

/** By feed_notifications_due and feed_notifications_to_retry. */
export async function selectNotificationWork(
  db: Db,
  channels: readonly string[],
  now: Date,
): Promise<FailureLane[]> {
  const isDue = sql`due_at <= ${now} and claim is null and channel = any (${channels}::text[])`;
  const { rows } = await sql<Record<FailureLane, boolean>>`
    select exists (select from feed_notifications where ${isIn.regular} and ${isDue}) as regular,
      exists (select from feed_notifications where ${isIn.retry} and ${isDue}) as retry`.execute(
    db,
  );
  const [due] = rows;
  return (['regular', 'retry'] as const).filter((lane) => due?.[lane]);
}

/** The right to tell a channel about a show. */
export interface NotificationClaim extends Claim {
  readonly podcastId: string;
  readonly channel: string;
}

/** By feed_notifications_due or feed_notifications_to_retry. */
export async function claimNotifications(
  db: Db,
  lane: FailureLane,
  channels: readonly string[],
  { id, at, until, limit, first }: ClaimRequest,
): Promise<NotificationClaim[]> {
  const direction = first === 'oldest' ? sql`asc` : sql`desc`;
  const { rows } = await sql<{ podcastId: string; channel: string }>`
    with due as (
      select podcast_id, channel from feed_notifications
      where ${isIn[lane]} and due_at <= ${at} and claim is null
        and channel = any (${channels}::text[])
      order by due_at ${direction} limit ${limit} for update skip locked
    )
    update feed_notifications told set due_at = null, claim = ${id}, claimed_until = ${until}
    from due where told.podcast_id = due.podcast_id and told.channel = due.channel
    returning told.podcast_id as "podcastId", told.channel`.execute(db);
  return rows.map((row) => ({ id, ...row }));
}

const isClaimed = ({ id, podcastId, channel }: NotificationClaim) =>
  sql`told.podcast_id = ${podcastId} and told.channel = ${channel} and told.claim = ${id}`;

export interface NotificationToSend {
  /** Of the feed that the channel is told of. */
  readonly digest: Buffer;
  readonly failures: number;
}

/**
 * Records that a channel is about to be told. Undefined if there is nothing to tell, or if the claim
 * has ended.
 */
export async function beginNotification(
  db: Db,
  claim: NotificationClaim,
  now: Date,
): Promise<NotificationToSend | undefined> {
  const { rows } = await sql<NotificationToSend>`
    update feed_notifications told set sent_at = ${now}
    from feed_states feed
    where ${isClaimed(claim)} and feed.podcast_id = told.podcast_id
      and feed.digest is distinct from told.digest and feed.digest is not null
    returning feed.digest, told.failures`.execute(db);
  return rows[0];
}

/** After what changed meanwhile, the next request leaves when the pause is over. */
const nextDue = sql`case when told.due_at is not null
  then greatest(told.due_at, told.sent_at + ${pause}) end`;

export async function endSentNotification(
  db: Db,
  claim: NotificationClaim,
  sent: { readonly digest: Buffer; readonly status: number; readonly at: Date },
): Promise<void> {
  await sql`
    update feed_notifications told set claim = null, claimed_until = null, failures = 0,
      first_failed_at = null, digest = ${sent.digest}, told_at = ${sent.at},
      last_status = ${sent.status}, last_error = null, due_at = ${nextDue}
    where ${isClaimed(claim)}`.execute(db);
}

/** `retryAt` null: no retry until the feed changes. */
export async function endFailedNotification(
  db: Db,
  claim: NotificationClaim,
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
    update feed_notifications told set claim = null, claimed_until = null,
      failures = ${failures}, first_failed_at = coalesce(told.first_failed_at, ${at}),
      last_status = ${status}, last_error = ${error}, due_at = least(${retryAt}::timestamptz, ${nextDue})
    where ${isClaimed(claim)}`.execute(db);
}

/** There was nothing to tell. */
export async function endNeedlessNotification(db: Db, claim: NotificationClaim): Promise<void> {
  await sql`
    update feed_notifications told set claim = null, claimed_until = null, failures = 0,
      first_failed_at = null, last_error = null
    where ${isClaimed(claim)}`.execute(db);
}

/** This channel isn't told of this show now. It will be when it may be. */
export async function endUnwantedNotification(db: Db, claim: NotificationClaim): Promise<void> {
  await sql`
    update feed_notifications told set claim = null, claimed_until = null, digest = null,
      failures = 0, first_failed_at = null, last_error = null
    where ${isClaimed(claim)}`.execute(db);
}

/** Nothing was sent. It is due again at `dueAt` or earlier. */
export async function releaseNotification(
  db: Db,
  claim: NotificationClaim,
  dueAt: Date,
): Promise<void> {
  await sql`
    update feed_notifications told set claim = null, claimed_until = null,
      due_at = least(told.due_at, ${dueAt})
    where ${isClaimed(claim)}`.execute(db);
}

/** By feed_notifications_claimed, feed_notifications_due and feed_notifications_to_retry. */
export async function releaseLostNotifications(db: Db, now: Date): Promise<void> {
  await sql`
    update feed_notifications set claim = null, claimed_until = null, due_at = ${now}
    where claimed_until is not null and (claimed_until <= ${now}
      or claimed_until > ${now}::timestamptz + ${longestFeedWait})`.execute(db);
  for (const isInLane of Object.values(isIn)) {
    await sql`update feed_notifications set due_at = ${now}
      where ${isInLane} and due_at > ${now}::timestamptz + ${longestFeedWait}`.execute(db);
  }
}
