import { consumeAttempt } from '../../foundation/accounts/index.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { refuseWrong } from '../../foundation/errors.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import type { Expectation } from '../../foundation/revisions/index.ts';
import { checkCategories } from './check-categories.ts';
import { slugsOfUser } from './create-podcast.ts';
import type { Podcast, PodcastFields } from './podcast.ts';
import { getPodcast, updatePodcast } from './update-podcast.ts';

/** Changes fields that a person has typed: a category must be one of Apple's, unless it stays. */
export async function editPodcast(
  ctx: Context,
  podcastId: string,
  changes: Partial<PodcastFields>,
  expectation?: Expectation,
): Promise<Podcast> {
  await authorize(ctx, 'podcast.edit', { podcastId });
  await limitNewSlug(ctx, podcastId, changes);
  return transact(ctx, async (tx) => {
    const before = await getPodcast(tx, podcastId);
    const podcast = await updatePodcast(tx, podcastId, changes, expectation);
    const known = new Set(checkCategories(before).map(({ message }) => message));
    refuseWrong(
      'The podcast was not changed.',
      checkCategories(podcast).filter(({ message }) => !known.has(message)),
    );
    return podcast;
  });
}

/**
 * Counts a slug that a user is about to take, also if it is refused: otherwise, anybody could find out
 * which slugs are taken. Forms may send the slug that the show has.
 */
async function limitNewSlug(
  ctx: Context,
  podcastId: string,
  { slug }: Partial<PodcastFields>,
): Promise<void> {
  const { principal } = ctx;
  if (principal.kind !== 'user' || slug === undefined) return;
  if (slug === (await getPodcast(ctx, podcastId)).slug) return;
  await consumeAttempt(ctx, [slugsOfUser, principal.userId]);
}
