import { DomainError } from '../errors.ts';
import { defineJob } from '../job.ts';
import { importPayload } from '../job-payload.ts';
import { resumeImport } from './resume-import.ts';

/**
 * Runs one import. Not retried: an unfinished import stays recorded, and `resume-imports` finds it.
 */
export const continueImportJob = defineJob({
  name: 'continue-import',
  payload: importPayload,
  timeoutSeconds: 23 * 3600,
  // Each import already runs several transfers.
  concurrency: 2,
  async run(ctx, { importId }, { signal }) {
    try {
      await resumeImport(ctx, importId, { signal });
    } catch (error) {
      if (!isCancelled(error)) throw error;
      ctx.log.info({ importId }, 'an import was cancelled');
    }
  },
});

function isCancelled(error: unknown): boolean {
  return error instanceof DomainError && error.details[0]?.reason === 'cancelled';
}
