import {
  OutboundError,
  type OutboundRequest,
} from '../../../platform/outbound-http/outbound-http.ts';
import { feedUrl } from '../../foundation/addresses.ts';
import type { Context } from '../../foundation/context.ts';
import {
  type FailureLane,
  retryAfter,
  Sender,
  type SendQueue,
} from '../../foundation/sending/index.ts';
import { findPublicPodcast } from '../../public/catalogue/index.ts';
import type { ChangedFeed, NotificationChannel } from './channels/notification-channel.ts';
import {
  beginNotification,
  claimNotifications,
  endFailedNotification,
  endNeedlessNotification,
  endSentNotification,
  endUnwantedNotification,
  type NotificationClaim,
  type NotificationToSend,
  releaseLostNotifications,
  releaseNotification,
  selectNotificationWork,
} from './feed-notifications.sql.ts';
import type { NotificationCounts } from './notification-counts.ts';

const minute = 60;
const hour = 60 * minute;
/** The pauses after each failure in a row, in seconds (PLANNED-21). */
const notificationDelaysSeconds = [
  ...[minute, 5 * minute, 30 * minute],
  ...[2 * hour, 6 * hour, 12 * hour],
];
/** The pause after a failure of ours. */
const pauseMs = 5_000;
/** The response's body is not read, so its size does not matter. */
const limits = {
  connectTimeoutMs: 5_000,
  timeoutMs: 15_000,
  maxBytes: Number.POSITIVE_INFINITY,
} satisfies Partial<OutboundRequest>;

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
  const channelIds = [...channels.keys()];
  const queue: SendQueue<FailureLane, NotificationClaim> = {
    delayed: 'notifications of directories and hubs are delayed',
    places: { regular: 128, retry: 32 },
    // Each of these hosts gets the notifications of all shows.
    placesPerHost: 16,
    schedule: async () => undefined,
    findDue: () => selectNotificationWork(ctx.db, channelIds, ctx.clock.now()),
    async claim(lane, request) {
      const free = [...channels.values()].filter(({ host }) => !request.busyHosts.includes(host));
      const ids = free.map(({ id }) => id);
      const claims = await claimNotifications(ctx.db, lane, ids, request);
      return claims.map((claim) => ({ ...claim, host: channels.get(claim.channel)?.host ?? '' }));
    },
    releaseLost: (now) => releaseLostNotifications(ctx.db, now),
    send: (claim) => notifyChannel(ctx, claim, notifying),
  };
  return new Sender(ctx, queue, signal);
}

/** Throws only for failures that are ours. */
async function notifyChannel(
  ctx: Context,
  claim: NotificationClaim,
  { channels, counts, signal }: ChannelNotifying,
): Promise<void> {
  try {
    const channel = channels.get(claim.channel);
    const feed = await findFeed(ctx, claim.podcastId);
    if (channel === undefined || feed === undefined || !channel.isFor(feed))
      return await endUnwantedNotification(ctx.db, claim);
    const next = await beginNotification(ctx.db, claim, ctx.clock.now());
    if (next === undefined) return await endNeedlessNotification(ctx.db, claim);
    const result = await request(ctx, channel.request(feed), signal);
    const isSent = 'status' in result && result.status >= 200 && result.status < 300;
    counts.add(channel.label, isSent ? 'sent' : 'failed');
    const { status = null, error = `${status}` } = result;
    const at = ctx.clock.now();
    if (isSent && status !== null)
      await endSentNotification(ctx.db, claim, { digest: next.digest, status, at });
    else await recordFailure(ctx, claim, { ...next, at, status, error });
  } catch (error) {
    // If the database is away, the channel becomes due again when the claim ends.
    const dueAt = new Date(ctx.clock.now().getTime() + (signal.aborted ? 0 : pauseMs));
    await releaseNotification(ctx.db, claim, dueAt).catch(() => undefined);
    if (!signal.aborted) throw error;
  }
}

async function findFeed(ctx: Context, podcastId: string): Promise<ChangedFeed | undefined> {
  const show = await findPublicPodcast(ctx, podcastId);
  return show && { url: feedUrl(ctx.installation, show.slug), show };
}

/** The status of the response, or a short error without secrets. Rejects if the signal aborts. */
async function request(
  { outbound }: Context,
  { url, request }: ReturnType<NotificationChannel['request']>,
  signal: AbortSignal,
): Promise<{ readonly status?: number; readonly error?: string }> {
  try {
    const response = await outbound.request(url, { ...request, ...limits, signal });
    response.body.destroy();
    return { status: response.status };
  } catch (error) {
    if (error instanceof OutboundError && !signal.aborted) return { error: error.reason };
    throw error;
  }
}

async function recordFailure(
  ctx: Context,
  claim: NotificationClaim,
  failed: Pick<NotificationToSend, 'failures'> & {
    readonly at: Date;
    readonly status: number | null;
    readonly error: string;
  },
): Promise<void> {
  const failures = failed.failures + 1;
  const retryAt = retryAfter(notificationDelaysSeconds, failures, failed.at);
  await endFailedNotification(ctx.db, claim, { ...failed, failures, retryAt });
  const fields = { podcastId: claim.podcastId, channel: claim.channel, failures };
  const message =
    retryAt === null
      ? 'a channel is not told of a feed until it changes again'
      : 'a notification of a feed did not arrive and will be retried';
  ctx.log.debug({ ...fields, reason: failed.error }, message);
}
