import { type Page, toPage } from '../../lib/page.ts';
import type { Context } from '../context.ts';
import type { PodcastPosition } from '../podcasts/index.ts';
import type { Caller } from './caller.ts';
import type { KeyPodcasts } from './key.ts';
import { selectNamedPodcastIds, selectReachedPodcasts } from './reach.sql.ts';
import type { ReachedPodcast } from './reached-podcast.ts';

/**
 * The podcasts a key reads at this moment, oldest first: those for which `decideAccess` would find
 * nothing to refuse.
 */
export async function listReachedPodcasts(
  ctx: Context,
  caller: Pick<Caller, 'keyId' | 'userId' | 'allPodcasts'>,
  page: { readonly limit: number; readonly after?: PodcastPosition | undefined },
): Promise<Page<ReachedPodcast, PodcastPosition>> {
  const rows = await selectReachedPodcasts(ctx.db, caller, { ...page, limit: page.limit + 1 });
  return toPage(rows, page.limit, ({ createdAt, id }) => ({ createdAt, id }));
}

/** What the key is limited to, less what it was cut off from, and what its user has left. */
export async function getKeyPodcasts(
  ctx: Context,
  caller: Pick<Caller, 'keyId' | 'userId' | 'allPodcasts'>,
): Promise<KeyPodcasts> {
  return caller.allPodcasts ? 'all' : await selectNamedPodcastIds(ctx.db, caller);
}
