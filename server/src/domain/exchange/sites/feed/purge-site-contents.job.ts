import type { Context } from '../../../foundation/context.ts';
import { defineJob } from '../../../foundation/job.ts';
import { requireTrusted } from '../../../foundation/principal.ts';
import { deleteUnusedContents } from './contents.sql.ts';

export const purgeSiteContentsJob = defineJob({
  name: 'purge-site-contents',
  timeoutSeconds: 1800,
  run: (ctx, _payload, { signal }) => purgeSiteContents(ctx, signal),
});

const mostAtOnce = 500;

/** Deletes contents that no site has any more, a day after a change named them last. */
async function purgeSiteContents(ctx: Context, signal: AbortSignal): Promise<void> {
  requireTrusted(ctx);
  for (let deleted = mostAtOnce; deleted === mostAtOnce; ) {
    signal.throwIfAborted();
    deleted = await deleteUnusedContents(ctx.db, ctx.clock.now(), mostAtOnce);
  }
}
