import { type NotificationChannel, withParameters } from './notification-channel.ts';

/**
 * Podcast Index, which many apps use as their directory. It only wants public feeds with an https
 * URL, of shows that directories may list (NOTIFY-8).
 */
export function podcastIndexChannel(apiUrl: string): NotificationChannel {
  return {
    id: 'podcast_index',
    label: 'podcast_index',
    host: new URL(apiUrl).host,
    isFor: ({ url, show }) =>
      url.startsWith('https://') && show.status === 'active' && !show.itunesBlock,
    request: ({ url }) => ({
      url: withParameters(`${apiUrl}/api/1.0/hub/pubnotify`, { url }),
      request: { method: 'GET' },
    }),
  };
}
