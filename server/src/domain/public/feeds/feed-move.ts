import { requestedHost } from '../../../lib/host-name.ts';
import { feedUrl } from '../../foundation/addresses.ts';
import type { Context, Installation } from '../../foundation/context.ts';
import { isRedirectedBack, visibilityOf } from '../../publishing/podcasts/index.ts';
import type { PublicPodcast } from '../catalogue/index.ts';

/**
 * Where the feed of a show has moved to; undefined also for the feed on the show's own domain, with any
 * scheme and query: a redirect there would never end. The URL may be older than the domain.
 */
function findFeedMove(
  installation: Pick<Installation, 'baseUrl' | 'embedUrl'>,
  show: PublicPodcast,
): string | undefined {
  const { newFeedUrl, domain } = show;
  if (visibilityOf(show, 'feed') !== 'moved' || newFeedUrl === null) return undefined;
  if (domain === null) return newFeedUrl;
  const to = URL.parse(newFeedUrl);
  const own = new URL(feedUrl(installation, show));
  const isOwn =
    requestedHost(to?.hostname ?? '') === domain &&
    to?.pathname === own.pathname &&
    ['', own.port].includes(to.port);
  return isOwn ? undefined : newFeedUrl;
}

/** What is at the URL of a show's feed that isn't hidden. */
export type FeedOrMove =
  | { readonly location: string }
  /** The show as its feed describes it. */
  | { readonly show: PublicPodcast; readonly isInCircle: boolean };

/** Feeds that redirect to each other are served, without `itunes:new-feed-url` (FEED-20). */
export async function findFeedOrMove(ctx: Context, show: PublicPodcast): Promise<FeedOrMove> {
  const location = findFeedMove(ctx.installation, show);
  if (location === undefined) return { show, isInCircle: false };
  if (!(await isRedirectedBack(ctx, show.id, location))) return { location };
  // Apps follow the element like a redirect.
  return { show: { ...show, newFeedUrl: null }, isInCircle: true };
}
