import type { Installation } from '../../../foundation/context.ts';
import { externalHubChannel } from './external-hub.ts';
import type { NotificationChannel } from './notification-channel.ts';
import { podcastIndexChannel } from './podcast-index.ts';
import { podpingChannel } from './podping.ts';

/** The channels that the settings name, by their ids. */
export function channelsInUse({
  feedNotifications: { podcastIndexUrl, podping, externalHubs },
}: Installation): ReadonlyMap<string, NotificationChannel> {
  const channels = [
    ...(podcastIndexUrl === undefined ? [] : [podcastIndexChannel(podcastIndexUrl)]),
    ...(podping === undefined ? [] : [podpingChannel(podping)]),
    ...externalHubs.map(externalHubChannel),
  ];
  return new Map(channels.map((channel) => [channel.id, channel]));
}
