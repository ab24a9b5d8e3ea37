import { type Page, toPage } from '../../lib/page.ts';
import type { Context } from '../context.ts';
import { getOwnSite } from './get-site.ts';
import { type ListedPost, type PostPosition, selectPosts } from './listed-posts.sql.ts';

/** What a site of the acting user has posted, the last report first. */
export async function listSitePosts(
  ctx: Context,
  siteId: string,
  { limit, after }: { readonly limit: number; readonly after?: PostPosition | undefined },
): Promise<Page<ListedPost, PostPosition>> {
  const site = await getOwnSite(ctx, siteId);
  const rows = await selectPosts(ctx.db, site.id, { limit: limit + 1, after });
  return toPage(rows, limit, ({ reportedAt, episodeId }) => {
    return { createdAt: reportedAt, id: episodeId };
  });
}
