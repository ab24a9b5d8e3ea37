import { feedUrl } from '../../foundation/addresses.ts';
import type { Context } from '../../foundation/context.ts';
import {
  type FailureLane,
  renewClaims,
  Sender,
  type SendQueue,
} from '../../foundation/sending/index.ts';
import type { ChangedFeed, NotificationChannel } from './channels/notification-channel.ts';
import {
  channelTable,
  claimNotifications,
  isOneOf,
  type NotificationClaim,
  selectShowsOfFeeds,
} from './feed-notifications.sql.ts';
import type { NotificationCounts } from './notification-counts.ts';
import { createEndTelling, inRowBatches, storeTold, tell, withRow } from './tell.ts';
import {
  type BegunTelling,
  beginTelling,
  endNeedless,
  endUnwanted,
  hastenTold,
  releaseLostRows,
  selectToldWork,
  type ToldRow,
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
  const notify = createNotify(ctx, notifying);
  const queue: SendQueue<FailureLane, NotificationClaim> = {
    delayed: 'notifications of directories and hubs are delayed',
    places: { regular: 128, retry: 32 },
    // Each of these hosts gets the notifications of all shows.
    placesPerHost: 16,
    schedule: async () => undefined,
    findDue: () => selectToldWork(ctx.db, channelTable, isWanted, ctx.clock.now()),
    async claim(lane, request) {
      const free = [...channels.values()].filter(({ host }) => !request.busyHosts.includes(host));
      if (free.length === 0) return [];
      const ids = free.map(({ id }) => id);
      const claims = await claimNotifications(ctx.db, lane, ids, request);
      return claims.map((claim) => ({ ...claim, host: channels.get(claim.channel)?.host ?? '' }));
    },
    renew: (ids, until) => renewClaims(ctx.db, 'feed_notifications', ids, until),
    releaseLost: (now) => releaseLostRows(ctx.db, channelTable, now),
    tidy: (now) => hastenTold(ctx.db, channelTable, now),
    send: notify,
  };
  return new Sender(ctx, queue, signal);
}

/** Tells a channel of a show. Throws only for failures that are ours. */
function createNotify(
  ctx: Context,
  { channels, counts }: ChannelNotifying,
): (claim: NotificationClaim, signal: AbortSignal) => Promise<void> {
  const table = channelTable;
  const begin = inRowBatches((claims: readonly NotificationClaim[]) =>
    beginNotifying(ctx, channels, claims),
  );
  const end = createEndTelling(ctx, table);
  return (claim, signal) => {
    const row = rowOf(claim);
    return withRow(ctx, table, row, signal, async () => {
      const begun = await begin(claim);
      if (begun === 'unwanted') return await endUnwanted(ctx.db, table, row);
      if (begun === 'needless') return await endNeedless(ctx.db, table, row);
      const { channel, feed, ...telling } = begun;
      const { url, request } = channel.request(feed);
      const told = await tell(ctx, url, { ...request, ...limits }, signal);
      await storeTold(ctx, end, { ...telling, row, label: channel.label, counts }, told);
    });
  };
}

const rowOf = (claim: NotificationClaim): ToldRow => ({ ...claim, who: claim.channel });

interface BegunNotification extends BegunTelling {
  readonly channel: NotificationChannel;
  readonly feed: ChangedFeed;
}

/** Records which channels are about to be told of what. Two statements, however many there are. */
async function beginNotifying(
  ctx: Context,
  channels: ReadonlyMap<string, NotificationChannel>,
  claims: readonly NotificationClaim[],
): Promise<(BegunNotification | 'unwanted' | 'needless')[]> {
  const feeds = await findFeeds(ctx, [...new Set(claims.map(({ podcastId }) => podcastId))]);
  const wanted = claims.flatMap((claim) => {
    const [channel, feed] = [channels.get(claim.channel), feeds.get(claim.podcastId)];
    return channel && feed && channel.isFor(feed) ? [{ claim, channel, feed }] : [];
  });
  const rows = wanted.map(({ claim }) => rowOf(claim));
  const begun = await beginTelling(ctx.db, channelTable, rows, ctx.clock.now());
  return claims.map((claim) => {
    const index = wanted.findIndex((one) => one.claim === claim);
    const [to, telling] = [wanted[index], begun[index]];
    if (to === undefined) return 'unwanted';
    return telling === undefined ? 'needless' : { ...telling, ...to };
  });
}

async function findFeeds(
  { db, installation }: Context,
  podcastIds: readonly string[],
): Promise<ReadonlyMap<string, ChangedFeed>> {
  const shows = await selectShowsOfFeeds(db, podcastIds);
  return new Map(shows.map((show) => [show.id, { url: feedUrl(installation, show), show }]));
}
