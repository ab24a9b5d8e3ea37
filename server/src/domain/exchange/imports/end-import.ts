import { BlobStoreAwayError } from '../../../platform/blob-store/blob-store.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { DomainError } from '../../foundation/errors.ts';
import { announceChange } from '../../foundation/outbox/index.ts';
import { endImport, type ImportEnd, selectImport } from './imports.sql.ts';
import { type LeasedImport, LeaseLostError, releaseLease } from './lease.ts';
import { discardPartialAudio } from './partial-audio.ts';
import { refuseImport } from './refuse-import.ts';
import type { ImportReport } from './report/import-report.ts';
import { discardDocuments } from './stored-documents.ts';

/**
 * Runs a claimed import and records its result. If its signal aborts or the file store is away, the import
 * is paused until a process resumes it.
 */
export async function endLeasedImport(
  ctx: Context,
  importId: string,
  leased: LeasedImport,
  work: () => Promise<ImportReport>,
): Promise<ImportReport> {
  try {
    return await endOrRelease(ctx, importId, leased, work);
  } catch (error) {
    if (error instanceof LeaseLostError) throw await explainLoss(ctx, importId, error);
    throw error;
  }
}

async function endOrRelease(
  ctx: Context,
  importId: string,
  leased: LeasedImport,
  work: () => Promise<ImportReport>,
): Promise<ImportReport> {
  try {
    const report = await work();
    await finish(ctx, importId, leased, { state: 'finished', report });
    return report;
  } catch (error) {
    if (error instanceof LeaseLostError) throw error;
    if (error instanceof DomainError && !leased.signal.aborted) {
      const errorReason = error.details[0]?.reason;
      await finish(ctx, importId, leased, { state: 'failed', error: error.message, errorReason });
    } else {
      const isOutage = error instanceof BlobStoreAwayError;
      // If this fails too, the lease expires.
      await releaseLease(ctx, importId, leased, { isOutage }).catch((failure: unknown) =>
        ctx.log.warn({ err: failure, importId }, 'the claim on an import could not be released'),
      );
    }
    throw error;
  }
}

async function explainLoss(ctx: Context, importId: string, error: Error): Promise<Error> {
  const found = await selectImport(ctx.db, importId);
  // If it runs, another process continues its files. It is gone if its show is.
  if (found?.state !== 'running') await discardPartialAudio(ctx, found ?? { id: importId });
  return found?.state === 'cancelled'
    ? refuseImport('cancelled', 'The import was cancelled.')
    : error;
}

async function finish(
  ctx: Context,
  importId: string,
  { holder }: LeasedImport,
  end: ImportEnd,
): Promise<void> {
  const found = await selectImport(ctx.db, importId);
  const { documents = [], podcastId = null } = found ?? {};
  await transact(ctx, async (tx) => {
    if (!(await endImport(tx.db, importId, holder, end, tx.clock.now()))) {
      throw new LeaseLostError();
    }
    if (end.state !== 'finished' || podcastId === null) return;
    await announceChange(tx, { kind: 'import.finished', podcastId });
  });
  await discardPartialAudio(ctx, { id: importId, documents });
  // A crash before this leaves files that nobody requests; they contain no more than the feed.
  await discardDocuments(ctx, documents).catch((err: unknown) => {
    ctx.log.warn({ err, importId }, 'the stored feed of an ended import was not deleted');
  });
}
