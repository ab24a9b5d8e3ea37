import type { Context } from '../../foundation/context.ts';
import { invalid } from '../../foundation/errors.ts';
import { isTrusted } from '../../foundation/principal.ts';
import type { Key } from './key.ts';
import { insertNamedPodcasts } from './keys.sql.ts';

/**
 * Adds podcasts to those that a key names. Its user must be a member of each. The operator may name
 * any podcast; the key reads it once its user is a member. Adds none if one cannot be added.
 */
export async function namePodcasts(
  tx: Context,
  key: Pick<Key, 'id' | 'userId'>,
  podcasts: readonly string[],
): Promise<void> {
  const podcastIds = [...new Set(podcasts.map((id) => id.toLowerCase()))];
  const memberId = isTrusted(tx) ? undefined : key.userId;
  const named = await insertNamedPodcasts(tx.db, { keyId: key.id, podcastIds, memberId });
  const missing = podcastIds.filter((id) => !named.includes(id));
  if (missing.length > 0) {
    throw invalid('podcasts', `These are not your podcasts: ${missing.join(', ')}.`);
  }
}
