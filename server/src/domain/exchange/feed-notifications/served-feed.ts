import type { Installation } from '../../foundation/context.ts';
import type { PublicPodcast } from '../../public/catalogue/index.ts';
import { findFeedMove } from '../../public/feeds/index.ts';
import { visibilityOf } from '../../publishing/podcasts/index.ts';

/** What the public gets at the URL of a show's feed. */
export function servedAtFeed(
  installation: Installation,
  show: PublicPodcast | undefined,
): 'feed' | 'redirect' | 'nothing' {
  if (show === undefined) return 'nothing';
  const seen = visibilityOf(show, 'feed');
  if (findFeedMove(installation, show) !== undefined) return 'redirect';
  return seen === 'open' || seen === 'frozen' || seen === 'moved' ? 'feed' : 'nothing';
}
