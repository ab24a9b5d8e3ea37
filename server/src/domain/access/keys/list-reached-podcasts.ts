import { type Page, toPage } from '../../../lib/page.ts';
import type { Context } from '../../foundation/context.ts';
import { requireScope } from '../../foundation/permissions/index.ts';
import type { PodcastPosition } from '../../publishing/podcasts/index.ts';
import { selectReachedPodcasts } from './reach.sql.ts';
import type { ReachedPodcast } from './reached-podcast.ts';

/**
 * Lists the podcasts for which `podcast.read` is allowed to the acting key at this moment, oldest
 * first.
 */
export async function listReachedPodcasts(
  ctx: Context,
  page: { readonly limit: number; readonly after?: PodcastPosition | undefined },
): Promise<Page<ReachedPodcast, PodcastPosition>> {
  const principal = requireScope(ctx, 'podcast.read');
  const rows = await selectReachedPodcasts(ctx.db, principal, { ...page, limit: page.limit + 1 });
  return toPage(rows, page.limit, ({ createdAt, id }) => ({ createdAt, id }));
}
