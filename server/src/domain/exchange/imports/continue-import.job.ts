import { DomainError } from '../../foundation/errors.ts';
import { defineJob, type Job } from '../../foundation/job.ts';
import { importPayload } from '../../foundation/job-payload.ts';
import type { TurnKind } from './import.ts';
import { TurnOverError } from './import-turn.ts';
import { resumeImport } from './resume-import.ts';

/** Runs the first turn of an import, which is short: new imports wait only for each other. */
export const startImportJob = turnJob('start-import', 'first');

/** Runs a later turn of an import. */
export const continueImportJob = turnJob('continue-import', 'later');

/** Not retried: an unfinished import stays recorded, and `resume-imports` finds it. */
function turnJob(name: string, turn: TurnKind): Job<typeof importPayload> {
  return defineJob({
    name,
    payload: importPayload,
    // A turn goes on for as long as no other import waits.
    timeoutSeconds: 23 * 3600,
    // Each import already runs several transfers.
    concurrency: 2,
    async run(ctx, { importId }, { signal }) {
      try {
        await resumeImport(ctx, importId, { signal, turn });
      } catch (error) {
        if (error instanceof TurnOverError) {
          ctx.log.info({ importId }, 'an import waits for its next turn');
        } else if (isCancelled(error)) {
          ctx.log.info({ importId }, 'an import was cancelled');
        } else {
          throw error;
        }
      }
    },
  });
}

function isCancelled(error: unknown): boolean {
  return error instanceof DomainError && error.details[0]?.reason === 'cancelled';
}
