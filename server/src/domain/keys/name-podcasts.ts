import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import type { Key } from './key.ts';
import { insertNamedPodcasts } from './named-podcasts.sql.ts';

/**
 * Adds podcasts to those that a key names: podcasts of which its user is a member. The operator may
 * name any, which the key reads once its user is one. Refuses all when one of them cannot be had.
 */
export async function namePodcasts(
  tx: Context,
  key: Pick<Key, 'id' | 'userId'>,
  podcasts: readonly string[],
): Promise<void> {
  const podcastIds = [...new Set(podcasts.map((id) => id.toLowerCase()))];
  const memberId = tx.actor.kind === 'operator' ? undefined : key.userId;
  const named = await insertNamedPodcasts(tx.db, { keyId: key.id, podcastIds, memberId });
  const missing = podcastIds.filter((id) => !named.includes(id));
  if (missing.length > 0) {
    throw invalid('podcasts', `These are no podcasts of yours: ${missing.join(', ')}.`);
  }
}
