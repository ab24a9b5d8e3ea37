import type { Context } from '../context.ts';
import type { Caller } from './caller.ts';
import type { KeyPodcasts } from './key.ts';
import { selectNamedPodcastIds, selectReachedPodcasts } from './reach.sql.ts';
import type { PodcastPosition, ReachedPodcast } from './reached-podcast.ts';

/**
 * The podcasts a key reads at this moment, oldest first: those for which `decideAccess` would find
 * nothing to refuse. `limit` of them, or fewer at the end.
 */
export function listReachedPodcasts(
  ctx: Context,
  caller: Pick<Caller, 'keyId' | 'userId' | 'allPodcasts'>,
  page: { readonly limit: number; readonly after?: PodcastPosition | undefined },
): Promise<ReachedPodcast[]> {
  return selectReachedPodcasts(ctx.db, caller, page);
}

/** What the key is limited to, less what it was cut off from, and what its user has left. */
export async function getKeyPodcasts(
  ctx: Context,
  caller: Pick<Caller, 'keyId' | 'userId' | 'allPodcasts'>,
): Promise<KeyPodcasts> {
  return caller.allPodcasts ? 'all' : await selectNamedPodcastIds(ctx.db, caller);
}
