import type { Context } from '../../context.ts';
import { requireTrusted } from '../../principal.ts';
import { deleteUnusedContents } from './contents.sql.ts';

const mostAtOnce = 500;

/** Deletes contents that no site has any more, a day after a change named them last. */
export async function purgeSiteContents(ctx: Context, signal: AbortSignal): Promise<void> {
  requireTrusted(ctx);
  for (let deleted = mostAtOnce; deleted === mostAtOnce; ) {
    signal.throwIfAborted();
    deleted = await deleteUnusedContents(ctx.db, ctx.clock.now(), mostAtOnce);
  }
}
