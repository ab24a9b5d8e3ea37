import type { Context } from '../../../foundation/context.ts';
import { findPublicPodcast } from '../../../public/catalogue/index.ts';
import type { WebhookPresenter } from '../webhook.ts';
import { findPublicEpisode } from './compare-show.ts';
import { hashEpisode, hashShow } from './hash-public.ts';
import {
  hasWaitingChange,
  lockToldShow,
  selectEpisodesToHash,
  setShowHash,
  upsertToldEpisode,
} from './told.sql.ts';

/** The most episodes that are read in one transaction. */
const hashedAtOnce = 20;

/**
 * Stores what webhooks were told of a show and of episodes that were public before, or were told in
 * large numbers. What changed is compared first: otherwise, what is hashed would include it, and nobody
 * would be told. Does a part of it; false: there is no more to do now.
 */
export async function hashTold(
  tx: Context,
  present: WebhookPresenter,
  podcastId: string,
): Promise<boolean> {
  const told = await lockToldShow(tx.db, podcastId);
  const show = await findPublicPodcast(tx, podcastId);
  if (told === undefined || told.isStale || show === undefined) return false;
  const hashes: [string, Buffer][] = [];
  for (const id of await selectEpisodesToHash(tx.db, podcastId, hashedAtOnce)) {
    const episode = await findPublicEpisode(tx, show, id);
    if (episode !== undefined) hashes.push([id, hashEpisode(present, show, episode)]);
  }
  // After the reading: a change that was read has its event.
  if (await hasWaitingChange(tx.db, podcastId)) return false;
  if (told.hash === null && !told.hasChanged)
    await setShowHash(tx.db, podcastId, hashShow(present, show));
  for (const [id, hash] of hashes) await upsertToldEpisode(tx.db, podcastId, id, hash);
  return hashes.length === hashedAtOnce;
}
