import type { OutboundRequest } from '../../../../platform/outbound-http/outbound-http.ts';
import type { PublicPodcast } from '../../../public/catalogue/index.ts';

/** What a channel is told about. */
export interface ChangedFeed {
  readonly url: string;
  readonly show: Pick<PublicPodcast, 'status' | 'itunesBlock' | 'medium'>;
}

/** Someone outside who is notified that a feed has changed. */
export interface NotificationChannel {
  /** In feed_notifications.channel. */
  readonly id: string;
  /** In metrics and logs: few values, without secrets. */
  readonly label: 'podcast_index' | 'podping' | 'hub';
  /** Limits how many requests it gets at once. */
  readonly host: string;
  /** Whether it is notified of this show. */
  isFor(feed: ChangedFeed): boolean;
  /** The request that tells it. */
  request(feed: ChangedFeed): {
    readonly url: string;
    readonly request: Pick<OutboundRequest, 'method' | 'headers' | 'body'>;
  };
}

/** Adds parameters to a URL that may have some. */
export function withParameters(address: string, parameters: Record<string, string>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.append(name, value);
  return url.href;
}
