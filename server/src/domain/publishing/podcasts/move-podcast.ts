import { type Context, transact } from '../../foundation/context.ts';
import { invalid, requireFound } from '../../foundation/errors.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import { type Expectation, revise } from '../../foundation/revisions/index.ts';
import { setPodcastStatus } from './change-status.ts';
import { lockPodcast } from './podcasts.sql.ts';
import { updatePodcast } from './update-podcast.ts';

/** Redirects all subscribers to another feed from now on, or changes where they are redirected. */
export async function movePodcast(
  ctx: Context,
  podcastId: string,
  { newFeedUrl, ...expectation }: Expectation & { readonly newFeedUrl: string },
): Promise<void> {
  await authorize(ctx, 'podcast.move', { podcastId });
  await transact(ctx, async (tx) => {
    await updatePodcast(tx, podcastId, { newFeedUrl }, expectation);
    await setPodcastStatus(tx, podcastId, 'moved');
  });
}

/** Ends the redirect. Apps that followed it come back only if the other feed redirects them. */
export async function endMove(
  ctx: Context,
  podcastId: string,
  expectation?: Expectation,
): Promise<void> {
  await authorize(ctx, 'podcast.move', { podcastId });
  await transact(ctx, async (tx) => {
    const state = requireFound(await lockPodcast(tx.db, podcastId), 'podcast');
    await revise(tx, { podcastId }, [], expectation);
    if (state.status !== 'moved') throw invalid('status', sayRefusal('not_moved'));
    await setPodcastStatus(tx, podcastId, 'active');
    await updatePodcast(tx, podcastId, { newFeedUrl: null });
  });
}
