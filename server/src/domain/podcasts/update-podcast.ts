import { announceChange } from '../changes/index.ts';
import { type Context, transact } from '../context.ts';
import { DomainError, notFound } from '../errors.ts';
import { checkPodcast } from './check-podcast.ts';
import { claimSlug } from './create-podcast.ts';
import { findPodcast } from './find-podcast.ts';
import type { Podcast, PodcastFields } from './podcast.ts';
import { lockPodcast, updatePodcastColumns } from './podcasts.sql.ts';
import { requireCapability } from './require-capability.ts';
import { requireOwner } from './require-owner.ts';

/**
 * Changes what is given and keeps the rest. A new slug keeps the old ones: feeds and pages under
 * them answer 301 for ever.
 */
export async function updatePodcast(
  ctx: Context,
  podcastId: string,
  changes: Partial<PodcastFields> & { readonly artworkId?: string | null },
): Promise<Podcast> {
  await requireCapability(ctx, podcastId, 'show.settings');
  if (changes.newFeedUrl !== undefined) await requireCapability(ctx, podcastId, 'show.move_feed');
  const details = checkPodcast(changes);
  if (details.length > 0) {
    throw new DomainError('invalid', 'The podcast cannot be changed so.', { details });
  }
  return transact(ctx, async (tx) => {
    const held = await lockPodcast(tx.db, podcastId, { asAWhole: changes.slug !== undefined });
    if (held === undefined) throw notFound('podcast');
    if (changes.teamKeys !== undefined) await requireOwner(tx, podcastId);
    if (changes.slug !== undefined) await claimSlug(tx, changes.slug, podcastId);
    await updatePodcastColumns(tx.db, podcastId, changes, ctx.clock.now());
    await announceChange(tx, { kind: 'podcast.changed', podcastId });
    return getPodcast(tx, podcastId);
  });
}

export async function getPodcast(ctx: Context, podcastId: string): Promise<Podcast> {
  const podcast = await findPodcast(ctx, podcastId);
  if (podcast === undefined) throw notFound('podcast');
  return podcast;
}
