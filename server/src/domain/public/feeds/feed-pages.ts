import type { CursorScope } from '../../../lib/cursor.ts';
import { asciiUrl } from '../../../lib/web-url.ts';
import { feedUrl } from '../../foundation/addresses.ts';
import type { Context, Installation } from '../../foundation/context.ts';
import type { EpisodePosition, PublicPodcast } from '../catalogue/index.ts';
import { buildFeed, hubsInUse } from './build-feed.ts';

export const feedContentType = 'application/rss+xml; charset=utf-8';

/** The scope of the cursors in the URLs of a feed's pages. */
export const feedCursorScope = (show: Pick<PublicPodcast, 'id'>): CursorScope => ({
  endpoint: 'GET /feeds',
  resource: show.id,
  filters: {},
});

/** The page of a feed after a position, as it is served. `onGrowth`: see `buildFeed`. */
export function buildServedFeed(
  ctx: Context,
  show: PublicPodcast,
  after: EpisodePosition | undefined,
  onGrowth?: (bytes: number) => Promise<void>,
): Promise<readonly Buffer[]> {
  const { installation } = ctx;
  const urlAfter = (position: EpisodePosition | undefined) => {
    const parts = position && [position.publishedAt.toISOString(), position.id];
    const cursor = parts && installation.cursors.encode(feedCursorScope(show), parts);
    return feedUrl(installation, show, cursor);
  };
  return buildFeed(ctx, show, { after, urlAfter }, onGrowth);
}

/**
 * The `Link` header of a feed's first page, which has the same links as elements: its hubs, and its own
 * URL (WebSub 4). Undefined without a hub.
 */
export function feedLinkHeader(
  installation: Installation,
  show: Pick<PublicPodcast, 'slug' | 'domain'>,
): string | undefined {
  const hubs = hubsInUse(installation);
  if (hubs.length === 0) return undefined;
  const links = [
    ...hubs.map((url) => ['hub', url] as const),
    ['self', feedUrl(installation, show)],
  ];
  return links.map(([rel, url = '']) => `<${asciiUrl(url)}>; rel="${rel}"`).join(', ');
}
