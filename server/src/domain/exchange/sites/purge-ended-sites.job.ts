import { type Context, transact } from '../../foundation/context.ts';
import { defineJob } from '../../foundation/job.ts';
import { tryEachRow } from '../../foundation/try-each.ts';
import {
  deleteChangesAndPosts,
  deleteEndedSite,
  isEndedSite,
  selectSitesToDelete,
} from './ended-sites.sql.ts';
import { lockSite } from './feed/changes.sql.ts';
import { maxEndedSites } from './site.ts';

const sitesAtOnce = 100;
const rowsAtOnce = 1_000;

/** Deletes sites whose user has many that ended later (SITE-44). */
export const purgeEndedSitesJob = defineJob({
  name: 'purge-ended-sites',
  timeoutSeconds: 1800,
  run: (ctx, _payload, { signal }) => purgeEndedSites(ctx, signal),
});

async function purgeEndedSites(ctx: Context, signal: AbortSignal): Promise<void> {
  const kept = { now: ctx.clock.now(), most: maxEndedSites };
  const failed = 'a site that has ended was not deleted';
  const select = (after: string) =>
    selectSitesToDelete(ctx.db, kept, { after, limit: sitesAtOnce });
  await tryEachRow(ctx, select, { failed, signal }, async (siteId) => {
    while (await deletePart(ctx, siteId)) signal.throwIfAborted();
  });
}

/** Returns whether there is more. Its address may have been connected again since it was selected. */
function deletePart(ctx: Context, siteId: string): Promise<boolean> {
  return transact(ctx, async ({ db, clock }) => {
    await lockSite(db, siteId);
    if (!(await isEndedSite(db, siteId, clock.now()))) return false;
    if (await deleteChangesAndPosts(db, siteId, rowsAtOnce)) return true;
    await deleteEndedSite(db, siteId);
    return false;
  });
}
