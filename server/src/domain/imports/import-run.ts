import { OutboundError } from '../../platform/outbound-http/outbound-http.ts';
import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import { AudioError, ImageError } from '../media/index.ts';
import { ChaptersError, TranscriptError } from '../transcripts/index.ts';
import type { ImportLimits } from './import-limits.ts';
import type { ImportPhase, ImportProgress } from './import-report.ts';
import { ping } from './imports.sql.ts';
import { explainTransfer } from './refuse-import.ts';
import type { ReportDraft } from './report-draft.ts';
import type { Transfers } from './transfers.ts';

/** What all steps of one run of an import have in common. */
export interface ImportRun {
  readonly ctx: Context;
  readonly podcastId: string;
  /** Episodes made since then were made by this import, in this run or one before it. */
  readonly startedAt: Date;
  readonly copyAudio: boolean;
  readonly limits: ImportLimits;
  readonly transfers: Transfers;
  readonly report: ReportDraft;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ImportProgress) => void;
}

/** Counts through a phase of known length. */
export function countPhase(
  { onProgress }: ImportRun,
  phase: ImportPhase,
  total: number,
): (title?: string) => void {
  let done = 0;
  onProgress({ phase, done, total });
  return (title) => {
    done += 1;
    onProgress({ phase, done, total, ...(title === undefined ? {} : { title }) });
  };
}

export interface Failure {
  readonly reason: string;
  readonly message: string;
}

/**
 * Why one item, picture or file did not come in, in words for the operator. Throws what concerns
 * the import as a whole: it is to stop, the disk is full, the database is away.
 */
export async function explainFailure(run: ImportRun, error: unknown): Promise<Failure> {
  run.signal.throwIfAborted();
  if (error instanceof OutboundError) return explainTransfer(error);
  if (
    error instanceof AudioError ||
    error instanceof ImageError ||
    error instanceof TranscriptError ||
    error instanceof ChaptersError
  ) {
    return { reason: error.reason, message: error.message };
  }
  if (error instanceof DomainError) {
    const words = error.details.map(({ message }) => message).join(' ');
    return { reason: error.details[0]?.reason ?? error.kind, message: words || error.message };
  }
  if (fullDisk.has((error as NodeJS.ErrnoException | undefined)?.code ?? '')) throw error;
  // Our own fault, as it seems, unless nothing works any more.
  await ping(run.ctx.db);
  run.ctx.log.error({ err: error, podcastId: run.podcastId }, 'an import stumbled');
  return { reason: 'internal_error', message: 'It could not be taken in; the log says why.' };
}

const fullDisk = new Set(['ENOSPC', 'EDQUOT', 'EROFS']);
