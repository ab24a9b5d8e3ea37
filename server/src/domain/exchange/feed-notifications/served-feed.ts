import type { Context } from '../../foundation/context.ts';
import type { PublicPodcast } from '../../public/catalogue/index.ts';
import { findFeedOrMove } from '../../public/feeds/index.ts';
import { visibilityOf } from '../../publishing/podcasts/index.ts';

/** What the public gets at the URL of a show's feed. `show`: as the feed describes it. */
export type ServedAtFeed =
  | { readonly kind: 'feed'; readonly show: PublicPodcast }
  | { readonly kind: 'redirect'; readonly location: string }
  | { readonly kind: 'nothing' };

export async function servedAtFeed(
  ctx: Context,
  show: PublicPodcast | undefined,
): Promise<ServedAtFeed> {
  if (show === undefined) return { kind: 'nothing' };
  const seen = visibilityOf(show, 'feed');
  if (seen !== 'open' && seen !== 'frozen' && seen !== 'moved') return { kind: 'nothing' };
  const found = await findFeedOrMove(ctx, show);
  return 'location' in found
    ? { kind: 'redirect', location: found.location }
    : { kind: 'feed', show: found.show };
}
