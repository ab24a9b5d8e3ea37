import { feedUrl } from '../../foundation/addresses.ts';
import type { Context } from '../../foundation/context.ts';
import { type FailureLane, Sender, type SendQueue } from '../../foundation/sending/index.ts';
import { findPublicPodcast } from '../../public/catalogue/index.ts';
import type { ChangedFeed, NotificationChannel } from './channels/notification-channel.ts';
import {
  channelTable,
  claimNotifications,
  isOneOf,
  type NotificationClaim,
} from './feed-notifications.sql.ts';
import type { NotificationCounts } from './notification-counts.ts';
import { storeTold, tell, withRow } from './tell.ts';
import {
  beginTelling,
  endNeedless,
  endUnwanted,
  releaseLostRows,
  selectToldWork,
} from './told-rows.sql.ts';

const limits = { connectTimeoutMs: 5_000, timeoutMs: 15_000 };

export interface ChannelNotifying {
  readonly signal: AbortSignal;
  readonly channels: ReadonlyMap<string, NotificationChannel>;
  readonly counts: NotificationCounts;
}

/** Tells directories and hubs that feeds have changed. */
export function createChannelNotifier(
  ctx: Context,
  notifying: ChannelNotifying,
): Sender<FailureLane, NotificationClaim> {
  const { signal, channels } = notifying;
  const isWanted = isOneOf([...channels.keys()]);
  const queue: SendQueue<FailureLane, NotificationClaim> = {
    delayed: 'notifications of directories and hubs are delayed',
    places: { regular: 128, retry: 32 },
    // Each of these hosts gets the notifications of all shows.
    placesPerHost: 16,
    schedule: async () => undefined,
    findDue: () => selectToldWork(ctx.db, channelTable, isWanted, ctx.clock.now()),
    async claim(lane, request) {
      const free = [...channels.values()].filter(({ host }) => !request.busyHosts.includes(host));
      const ids = free.map(({ id }) => id);
      const claims = await claimNotifications(ctx.db, lane, ids, request);
      return claims.map((claim) => ({ ...claim, host: channels.get(claim.channel)?.host ?? '' }));
    },
    releaseLost: (now) => releaseLostRows(ctx.db, channelTable, now),
    send: (claim) => notifyChannel(ctx, claim, notifying),
  };
  return new Sender(ctx, queue, signal);
}

/** Throws only for failures that are ours. */
function notifyChannel(
  ctx: Context,
  claim: NotificationClaim,
  { channels, counts, signal }: ChannelNotifying,
): Promise<void> {
  const table = channelTable;
  const row = { ...claim, who: claim.channel };
  return withRow(ctx, table, row, signal, async () => {
    const channel = channels.get(claim.channel);
    const feed = await findFeed(ctx, claim.podcastId);
    if (channel === undefined || feed === undefined || !channel.isFor(feed))
      return await endUnwanted(ctx.db, table, row);
    const next = await beginTelling(ctx.db, table, row, ctx.clock.now());
    if (next === undefined) return await endNeedless(ctx.db, table, row);
    const { url, request } = channel.request(feed);
    const told = await tell(ctx, url, { ...request, ...limits }, signal);
    await storeTold(ctx, { ...next, table, row, label: channel.label }, told, counts);
  });
}

async function findFeed(ctx: Context, podcastId: string): Promise<ChangedFeed | undefined> {
  const show = await findPublicPodcast(ctx, podcastId);
  return show && { url: feedUrl(ctx.installation, show), show };
}
