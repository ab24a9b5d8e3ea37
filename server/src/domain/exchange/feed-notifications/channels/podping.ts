import { type NotificationChannel, withParameters } from './notification-channel.ts';

/** podping, by a gateway that writes them to its network (NOTIFY-9). */
export function podpingChannel(gateway: {
  readonly url: string;
  readonly token: string;
}): NotificationChannel {
  return {
    id: 'podping',
    label: 'podping',
    host: new URL(gateway.url).host,
    isFor: () => true,
    request: ({ url, show: { medium } }) => ({
      url: withParameters(gateway.url, { url, reason: 'update', medium }),
      request: { method: 'GET', headers: { Authorization: gateway.token } },
    }),
  };
}
