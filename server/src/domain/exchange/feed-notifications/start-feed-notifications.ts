import type { Context } from '../../foundation/context.ts';
import { type Claim, type Sender, startSending } from '../../foundation/sending/index.ts';
import { channelsInUse } from './channels/channels-in-use.ts';
import { createFeedComparer } from './compare-feeds.ts';
import { createRequestConfirmer } from './hub/confirm-requests.ts';
import { createFeedDeliverer } from './hub/deliver-feeds.ts';
import type { NotificationCounts } from './notification-counts.ts';
import { createChannelNotifier } from './notify-channels.ts';

/** A request leaves at most two seconds after a change (NOTIFY-10). */
const everyMs = 1_000;

export interface FeedNotificationOptions {
  readonly signal: AbortSignal;
  readonly counts: NotificationCounts;
}

/** What compares feeds, then what tells channels and subscribers of those that have changed. */
export function createFeedNotifiers(
  ctx: Context,
  { signal, counts }: FeedNotificationOptions,
): readonly Pick<Sender<string, Claim>, 'runOnce' | 'settled'>[] {
  const channels = channelsInUse(ctx.installation);
  const notifier = createChannelNotifier(ctx, { signal, channels, counts });
  const hasHub = ctx.installation.feedNotifications.ownHub !== undefined;
  const deliverer = hasHub ? [createFeedDeliverer(ctx, { signal, counts })] : [];
  const confirmer = hasHub ? [createRequestConfirmer(ctx, signal)] : [];
  const tellers = [notifier, ...deliverer];
  const comparer = createFeedComparer(ctx, {
    signal,
    channels: [...channels.keys()],
    onChange() {
      for (const teller of tellers) void teller.fillDue();
    },
  });
  return [comparer, ...tellers, ...confirmer];
}

/**
 * Compares feeds and tells channels until it is disposed. Any number of processes may do so. Errors
 * are logged.
 */
export function startFeedNotifications(
  ctx: Context,
  options: Omit<FeedNotificationOptions, 'signal'>,
): AsyncDisposable {
  return startSending(ctx, everyMs, (signal) => createFeedNotifiers(ctx, { ...options, signal }));
}
