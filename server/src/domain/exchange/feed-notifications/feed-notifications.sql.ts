import { sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';
import type { Claim, ClaimRequest, FailureLane } from '../../foundation/sending/index.ts';
import { claimToldRows, dueAfterPause, isToBeTold, type ToldTable } from './told-rows.sql.ts';

export const channelTable: ToldTable = { name: 'feed_notifications', who: 'channel' };

/** What a comparison has found. */
export interface ComparedFeed {
  readonly podcastId: string;
  readonly digest: Buffer;
  /** Since the last comparison. */
  readonly hasChanged: boolean;
}

/** Makes the channels due that don't know the feed with this digest. */
export async function makeChannelsDue(
  db: Db,
  { podcastId, digest, hasChanged }: ComparedFeed,
  channels: readonly string[],
  now: Date,
): Promise<void> {
  await sql`
    insert into feed_notifications as told (podcast_id, channel, due_at)
    select ${podcastId}, channel, ${now} from unnest(${channels}::text[]) channel order by channel
    on conflict (podcast_id, channel) do update set due_at = ${dueAfterPause(now)}
    where ${isToBeTold(digest, hasChanged, now)}`.execute(db);
}

/** A feed that isn't public is announced to nobody, and to everybody when it is public again. */
export async function withdrawNotifications(db: Db, podcastId: string): Promise<void> {
  await db
    .updateTable('feed_notifications')
    .set({ due_at: null, digest: null })
    .where('podcast_id', '=', podcastId)
    .execute();
}

export const isOneOf = (channels: readonly string[]) => sql`channel = any (${channels}::text[])`;

/** The right to tell a channel about a show. */
export interface NotificationClaim extends Claim {
  readonly podcastId: string;
  readonly channel: string;
}

export function claimNotifications(
  db: Db,
  lane: FailureLane,
  channels: readonly string[],
  request: ClaimRequest,
): Promise<NotificationClaim[]> {
  const claimed = { isWanted: isOneOf(channels), returning: sql`told.channel` };
  return claimToldRows<{ channel: string }>(db, channelTable, lane, request, claimed);
}

/** What each channel was told of a show. By feed_notifications_pkey. */
export function selectNotifications(db: Db, podcastId: string) {
  return db
    .selectFrom('feed_notifications')
    .select(['channel', 'told_at as toldAt', 'sent_at as sentAt', 'due_at as dueAt'])
    .select(['last_status as lastStatus', 'last_error as lastError'])
    .where('podcast_id', '=', podcastId)
    .execute();
}
