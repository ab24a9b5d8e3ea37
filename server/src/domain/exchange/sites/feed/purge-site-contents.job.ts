import type { Context } from '../../../foundation/context.ts';
import { defineJob } from '../../../foundation/job.ts';
import { requireTrusted } from '../../../foundation/principal.ts';
import { deleteUnusedContents, type OldContent, selectOldContents } from './contents.sql.ts';

const timeoutSeconds = 1800;
const mostAtOnce = 500;
const recentMs = 2 * 3_600_000;

export const purgeSiteContentsJob = defineJob({
  name: 'purge-site-contents',
  timeoutSeconds,
  run: (ctx, _payload, { signal }) => purgeSiteContents(ctx, new Date(0), signal),
});

/**
 * The same for contents used in the last two hours. Runs more often, so that shows that change all
 * the time fill nothing; it skips the many contents that sites have had for long.
 */
export const purgeRecentContentsJob = defineJob({
  name: 'purge-recent-site-contents',
  timeoutSeconds,
  run: (ctx, _payload, { signal }) =>
    purgeSiteContents(ctx, new Date(ctx.clock.now().getTime() - recentMs), signal),
});

/** Deletes contents used since then that no site has any more, and then their parts. */
async function purgeSiteContents(ctx: Context, since: Date, signal: AbortSignal): Promise<void> {
  requireTrusted(ctx);
  const now = ctx.clock.now();
  for (let after: OldContent | undefined = { usedAt: since, hash: '' }; after !== undefined; ) {
    signal.throwIfAborted();
    const old = await selectOldContents(ctx.db, after, { now, limit: mostAtOnce });
    const parts = await deleteUnusedContents(
      ctx.db,
      old.map(({ hash }) => hash),
      now,
    );
    if (parts.length > 0) await deleteUnusedContents(ctx.db, parts, now);
    after = old.at(-1);
  }
}
