import type { Context } from '../../../foundation/context.ts';
import { requireFound } from '../../../foundation/errors.ts';
import { findPublicPodcast } from '../../../public/catalogue/index.ts';
import {
  deleteUntoldShow,
  insertMissingEpisodes,
  insertToldShow,
  lockToldShow,
} from './told.sql.ts';

/** No hash: a show that nobody has seen has changed when it is public. */
const neverSeen = Buffer.alloc(0);

/**
 * Locks what the show's webhooks were told. For its first one, that is what is public now; background
 * work hashes it. Call it in the transaction that adds a webhook.
 */
export async function startTelling(tx: Context, podcastId: string): Promise<void> {
  const show = requireFound(await findPublicPodcast(tx, podcastId), 'podcast');
  const isDraft = (show.statusBeforeSuspension ?? show.status) === 'draft';
  const begunAt = tx.clock.now();
  const hash = isDraft ? neverSeen : null;
  const isNew = await insertToldShow(tx.db, { podcastId, hash, begunAt });
  if (isNew && !isDraft) await insertMissingEpisodes(tx.db, podcastId, begunAt);
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
