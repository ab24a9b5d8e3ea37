import type { Context } from '../context.ts';
import { getPodcast, type Podcast } from '../podcasts/index.ts';
import { carryOutImport, type ImportOptions, limitsOf } from './carry-out-import.ts';
import { endHeldImport } from './end-import.ts';
import type { Import } from './import.ts';
import { maxAttempts } from './import-limits.ts';
import type { ImportReport } from './import-report.ts';
import { claimImport, selectImport, selectRunningImports } from './imports.sql.ts';
import { holdImport, isAbandoned, newLease } from './lease.ts';
import { refuseImport } from './refuse-import.ts';
import { readDocuments } from './stored-documents.ts';

/** Imports that nobody carries out though they have not ended, oldest first. */
export async function listAbandonedImports(ctx: Context): Promise<string[]> {
  const running = await selectRunningImports(ctx.db);
  return running.filter((found) => isAbandoned(ctx, found)).map(({ id }) => id);
}

/**
 * Goes on with an import that was interrupted. Undefined when there is nothing to go on with: it
 * has ended, or another process was faster. When the signal aborts, the import rests, to be gone on
 * with again.
 */
export async function resumeImport(
  ctx: Context,
  importId: string,
  options: ImportOptions = {},
): Promise<ImportReport | undefined> {
  const found = await selectImport(ctx.db, importId);
  if (found?.state !== 'running' || !isAbandoned(ctx, found)) return undefined;
  const lease = newLease(ctx);
  if (!(await claimImport(ctx.db, found, lease, ctx.clock.now()))) return undefined;
  const { progress } = found;
  using held = holdImport(ctx, importId, lease, { progress, signal: options.signal });
  return await endHeldImport(ctx, importId, held, 'rest', async () => {
    if (found.attempts >= maxAttempts) {
      throw refuseImport('gave_up', `The import was interrupted ${found.attempts} times.`);
    }
    const podcast = await findPodcast(ctx, found);
    const pages = await readDocuments(ctx, found.documents, limitsOf(options));
    return carryOutImport(ctx, { ...found, podcast, pages }, held, options);
  });
}

async function findPodcast(ctx: Context, { podcastId }: Import): Promise<Podcast> {
  if (podcastId !== null) return getPodcast(ctx, podcastId);
  throw refuseImport('podcast_gone', 'The podcast has been deleted since.');
}
