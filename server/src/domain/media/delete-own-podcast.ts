import { lockProvenUser, proveCurrentPassword } from '../accounts/index.ts';
import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { authorize } from '../permissions/index.ts';
import { getPodcast } from '../podcasts/index.ts';
import { requireUser } from '../principal.ts';
import { sayRefusal } from '../refusals.ts';
import { type Expectation, revise } from '../revisions/index.ts';
import { type DeletedPodcast, deletePodcast } from './delete-podcast.ts';

export interface OwnDeletion extends Expectation {
  /** The podcast's current slug, typed by its owner. */
  readonly slug: string;
  readonly currentPassword: string;
}

/** Deletes a podcast for ever, with all that belongs to it, if its owner names it and proves who they are. */
export async function deleteOwnPodcast(
  ctx: Context,
  podcastId: string,
  { slug, currentPassword, ...expectation }: OwnDeletion,
): Promise<DeletedPodcast> {
  const userId = requireUser(ctx);
  await authorize(ctx, 'podcast.delete', { podcastId });
  const podcast = await getPodcast(ctx, podcastId);
  if (slug !== podcast.slug) {
    throw invalid('slug', sayRefusal('wrong_slug', { slug: podcast.slug }), 'wrong_slug');
  }
  const proof = await proveCurrentPassword(ctx, userId, currentPassword);
  return deletePodcast(ctx, podcastId, async (tx) => {
    await lockProvenUser(tx, proof);
    await revise(tx, { podcastId }, [], expectation);
  });
}
