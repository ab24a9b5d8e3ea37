import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import type { ImportReport } from './import-report.ts';
import { endImport, selectImport } from './imports.sql.ts';
import { type HeldImport, LeaseLostError, restImport } from './lease.ts';
import { discardDocuments } from './stored-documents.ts';

/** What an abort means: to end for good, or to rest until somebody goes on with it. */
export type AbortMeaning = 'cancel' | 'rest';

/** Does the work of an import that is held, and says on record how it ended. */
export async function endHeldImport(
  ctx: Context,
  importId: string,
  held: HeldImport,
  abortMeans: AbortMeaning,
  work: () => Promise<ImportReport>,
): Promise<ImportReport> {
  try {
    const report = await work();
    await finish(ctx, importId, held, { state: 'finished', report });
    return report;
  } catch (error) {
    if (error instanceof LeaseLostError) throw error;
    if (held.signal.aborted && abortMeans === 'cancel') {
      await finish(ctx, importId, held, { state: 'failed', error: 'It was cancelled.' });
    } else if (error instanceof DomainError && !held.signal.aborted) {
      await finish(ctx, importId, held, { state: 'failed', error: error.message });
    } else {
      // Where even that fails, the lease runs out by itself.
      await restImport(ctx, importId, held).catch((failure: unknown) =>
        ctx.log.warn({ err: failure, importId }, 'an import could not be given back'),
      );
    }
    throw error;
  }
}

async function finish(
  ctx: Context,
  importId: string,
  { holder }: HeldImport,
  end: Parameters<typeof endImport>[3],
): Promise<void> {
  const documents = (await selectImport(ctx.db, importId))?.documents ?? [];
  if (!(await endImport(ctx.db, importId, holder, end, ctx.clock.now()))) {
    throw new LeaseLostError();
  }
  // A crash before this leaves files that nobody asks for; they hold no more than the feed did.
  await discardDocuments(ctx, documents);
}
