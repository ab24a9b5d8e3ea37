import { sql } from 'kysely';
import type { ShowPlace } from '../../foundation/addresses.ts';
import type { Db } from '../../foundation/database.ts';
import type { Claim, ClaimRequest, FailureLane } from '../../foundation/sending/index.ts';
import { verifiedDomain } from '../../publishing/podcasts/index.ts';
import type { ChangedFeed } from './channels/notification-channel.ts';
import {
  type ComparedFeed,
  claimToldRows,
  comparedRows,
  makeToldDue,
  type ToldTable,
} from './told-rows.sql.ts';

export const channelTable: ToldTable = { name: 'feed_notifications', who: 'channel' };

/** Makes the channels due that don't know these feeds. */
export async function makeChannelsDue(
  db: Db,
  feeds: readonly ComparedFeed[],
  channels: readonly string[],
  now: Date,
): Promise<void> {
  await sql`
    insert into feed_notifications (podcast_id, channel, due_at)
    select podcast_id, channel, ${now}
    from ${comparedRows(feeds)} cross join unnest(${channels}::text[]) channel
    order by podcast_id, channel on conflict do nothing`.execute(db);
  await makeToldDue(db, channelTable, feeds, isOneOf(channels), now);
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

/** What channels need to know of shows. By podcasts_pkey and podcast_domains_pkey. */
export async function selectShowsOfFeeds(
  db: Db,
  podcastIds: readonly string[],
): Promise<(ChangedFeed['show'] & ShowPlace & { readonly id: string })[]> {
  return await db
    .selectFrom('podcasts')
    .select(['id', 'slug', 'status', 'itunes_block as itunesBlock', 'medium'])
    .select(verifiedDomain('podcasts').as('domain'))
    .where('id', '=', sql<string>`any (${podcastIds}::uuid[])`)
    .execute();
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
