import type { NotificationChannel } from './notification-channel.ts';

/**
 * A WebSub hub of others. The recommendation leaves open how a hub is told; this is what hubs
 * accept: `hub.topic` is the newer name of `hub.url` (NOTIFY-8).
 */
export function externalHubChannel(hubUrl: string): NotificationChannel {
  return {
    id: hubUrl,
    label: 'hub',
    host: new URL(hubUrl).host,
    isFor: () => true,
    request: ({ url }) => ({
      url: hubUrl,
      request: {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: `${new URLSearchParams({ 'hub.mode': 'publish', 'hub.url': url, 'hub.topic': url })}`,
      },
    }),
  };
}
