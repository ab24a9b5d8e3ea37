import { feedUrl } from '../../foundation/addresses.ts';
import type { Context } from '../../foundation/context.ts';
import { requireFound } from '../../foundation/errors.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { findPublicPodcast } from '../../public/catalogue/index.ts';
import { channelsInUse } from './channels/channels-in-use.ts';
import type { NotificationChannel } from './channels/notification-channel.ts';
import { selectNotifications } from './feed-notifications.sql.ts';
import { countSubscriptions } from './hub/hub-subscriptions.sql.ts';
import { servedAtFeed } from './served-feed.ts';

/** What a channel was told of a show's feed. */
export interface ChannelNotification {
  readonly channel: NotificationChannel['label'];
  /** Of a hub. */
  readonly url: string | null;
  /** False: it isn't told while the show is as it is. */
  readonly isTold: boolean;
  /** When it last learned of a change. */
  readonly toldAt: Date | null;
  /** The last request, and what came of it: a status, or else an error; null: a success. */
  readonly sentAt: Date | null;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  /** When the next request leaves, if one waits. */
  readonly nextAt: Date | null;
}

/** Who learns of changes of a show's feed, and how that went. */
export interface FeedNotifications {
  readonly channels: readonly ChannelNotification[];
  /** Of our hub; null: there is none. */
  readonly subscribers: { readonly count: number; readonly failing: number } | null;
}

export async function readFeedNotifications(
  ctx: Context,
  podcastId: string,
): Promise<FeedNotifications> {
  await authorize(ctx, 'podcast.read', { podcastId });
  const show = requireFound(await findPublicPodcast(ctx, podcastId), 'podcast');
  const rows = await selectNotifications(ctx.db, podcastId);
  const isServed = (await servedAtFeed(ctx, show)).kind !== 'nothing';
  const feed = { url: feedUrl(ctx.installation, show), show };
  const channels = [...channelsInUse(ctx.installation).values()].map((channel) => {
    const row = rows.find((one) => one.channel === channel.id);
    const { toldAt = null, sentAt = null, lastStatus = null } = row ?? {};
    return {
      channel: channel.label,
      url: channel.label === 'hub' ? channel.id : null,
      isTold: isServed && channel.isFor(feed),
      ...{ toldAt, sentAt, lastStatus },
      lastError: row?.lastError ?? null,
      nextAt: row?.dueAt ?? null,
    };
  });
  const hasHub = ctx.installation.feedNotifications.ownHub !== undefined;
  const now = ctx.clock.now();
  const subscribers = hasHub ? await countSubscriptions(ctx.db, podcastId, now) : null;
  return { channels, subscribers };
}
