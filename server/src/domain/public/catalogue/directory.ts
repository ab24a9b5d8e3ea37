import { appleCategories } from '../../../lib/apple-categories.ts';
import { type Page, toPage } from '../../../lib/list-page.ts';
import type { Context } from '../../foundation/context.ts';
import {
  type DirectoryEntry,
  type DirectoryPosition,
  type DirectoryQuery,
  type ListedSitemap,
  selectDirectoryCategories,
  selectDirectoryPage,
  selectDirectoryPartEnds,
  selectDirectorySitemaps,
} from './directory.sql.ts';

/** Public shows that are not blocked from directories, the newest first (PAGE-15). */
export async function listDirectory(
  ctx: Context,
  query: DirectoryQuery,
): Promise<Page<DirectoryEntry, DirectoryPosition>> {
  const rows = await selectDirectoryPage(ctx.db, { ...query, limit: query.limit + 1 });
  return toPage(rows, query.limit, ({ createdAt, id }) => ({ createdAt, id }));
}

/** The categories of these shows, by Apple's names, in no order. */
export function listDirectoryCategories(ctx: Context): Promise<string[]> {
  return selectDirectoryCategories(ctx.db, Object.keys(appleCategories));
}

/** Those of `limit` listed shows whose pages are at BASE_URL, the oldest first. */
export function listDirectorySitemaps(
  ctx: Context,
  options: {
    readonly limit: number;
    readonly after: DirectoryPosition | undefined;
    readonly pagesOfShow: number;
  },
): Promise<ListedSitemap[]> {
  return selectDirectorySitemaps(ctx.db, ctx.clock.now(), options);
}

/** Where parts of `size` listed shows end, except the last part. */
export function listDirectoryPartEnds(ctx: Context, size: number): Promise<DirectoryPosition[]> {
  return selectDirectoryPartEnds(ctx.db, size);
}
