import type { Context } from '../../../foundation/context.ts';
import { requireFound } from '../../../foundation/errors.ts';
import { findPublicPodcast } from '../../../public/catalogue/index.ts';
import { hasWebhooks } from '../webhooks.sql.ts';
import {
  deleteUntoldShow,
  insertMissingEpisodes,
  insertToldShow,
  lockToldShow,
} from './told.sql.ts';

/** No hash: a show that nobody has seen has changed when it is public. */
const neverSeen = Buffer.alloc(0);

/** Short rows without deliveries. */
const rememberedAtOnce = 5_000;

/**
 * Locks what the show's webhooks were told. For its first one, that is what is public now; background
 * work hashes it. Call it in the transaction that adds a webhook. True: there are so many episodes that
 * only a part is remembered yet. Then commit, and begin again.
 */
export async function startTelling(tx: Context, podcastId: string): Promise<boolean> {
  const show = requireFound(await findPublicPodcast(tx, podcastId), 'podcast');
  const isDraft = (show.statusBeforeSuspension ?? show.status) === 'draft';
  const begunAt = tx.clock.now();
  await insertToldShow(tx.db, { podcastId, hash: isDraft ? neverSeen : null, begunAt });
  if (isDraft || (await hasWebhooks(tx.db, podcastId))) return false;
  const added = await insertMissingEpisodes(tx.db, podcastId, begunAt, rememberedAtOnce);
  return added.length === rememberedAtOnce;
}

/** Locks the same, so that webhooks of the show change one after the other. */
export async function keepTelling(tx: Context, podcastId: string): Promise<void> {
  await lockToldShow(tx.db, podcastId);
}

/** Locks the same, runs `work`, and forgets it after the last webhook. */
export async function stopTelling(
  tx: Context,
  podcastId: string,
  work: () => Promise<void>,
): Promise<void> {
  await lockToldShow(tx.db, podcastId);
  await work();
  await deleteUntoldShow(tx.db, podcastId);
}
