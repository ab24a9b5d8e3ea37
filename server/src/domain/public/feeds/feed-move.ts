import { requestedHost } from '../../../lib/host-name.ts';
import { feedUrl } from '../../foundation/addresses.ts';
import type { Installation } from '../../foundation/context.ts';
import { visibilityOf } from '../../publishing/podcasts/index.ts';
import type { PublicPodcast } from '../catalogue/index.ts';

/**
 * Where the feed of a show has moved to; undefined also for the feed on the show's own domain, with any
 * scheme and query: a redirect there would never end. The URL may be older than the domain.
 */
export function findFeedMove(
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
