import { DomainError } from '../../foundation/errors.ts';
import { defineJob, importPayload, type Job } from '../../foundation/job.ts';
import type { TurnKind } from './import.ts';
import { resumeImportsName, TurnOverError, turnKindOf } from './lease.ts';
import { sweepPartialAudio } from './partial-audio.ts';
import { carryOutClaimed, claimTurn, findAbandonedImports } from './resume-import.ts';

/**
 * Resumes imports whose process has died or stopped. While any import runs, it enqueues its next
 * run for when a claim may expire. So an import continues at most one claim (30 s), a second and
 * one poll of the queue (10 s) after its process was killed or the next one has started: 41 s.
 */
export const resumeImportsJob: Job = defineJob({
  name: resumeImportsName,
  timeoutSeconds: 60,
  async run(ctx, _payload, { enqueue }) {
    const { abandoned, nextCheckInSeconds } = await findAbandonedImports(ctx);
    if (nextCheckInSeconds !== undefined) {
      await enqueue(resumeImportsJob, {}, { key: 'again', delaySeconds: nextCheckInSeconds });
    }
    for (const found of abandoned) {
      const { id } = found;
      const job = turnKindOf(found) === 'first' ? startImportJob : continueImportJob;
      await enqueue(job, { importId: id }, { key: id });
    }
    await sweepPartialAudio(ctx);
  },
});

/** Runs the first turn of an import, which is short: new imports wait only for each other. */
export const startImportJob = turnJob('start-import', 'first');

/** Runs a later turn of an import. */
export const continueImportJob = turnJob('continue-import', 'later');

/**
 * One place for turns of this kind. The import that it is enqueued for waits; which of those that wait
 * has its turn is decided when a place is free. Not retried: an unfinished import stays recorded, and
 * `resume-imports` finds it.
 */
function turnJob(name: string, turn: TurnKind): Job<typeof importPayload> {
  return defineJob({
    name,
    payload: importPayload,
    // A turn continues for as long as no other import waits.
    timeoutSeconds: 23 * 3600,
    // Each import already runs several transfers.
    concurrency: 2,
    async run(ctx, _waiting, { signal }) {
      const claimed = await claimTurn(ctx, turn);
      if (claimed === undefined) return;
      const importId = claimed.found.id;
      let isOver = true;
      try {
        await carryOutClaimed(ctx, claimed, { signal });
      } catch (error) {
        if (error instanceof TurnOverError) {
          ctx.log.info({ importId }, 'an import waits for its next turn');
        } else if (isCancelled(error)) {
          ctx.log.info({ importId }, 'an import was cancelled');
        } else {
          // A failure of ours, such as that of a disk, may last: the next check tries again.
          isOver = error instanceof DomainError;
          throw error;
        }
      } finally {
        // Its account may have its next turn, for which it was too early before.
        if (isOver && !signal.aborted)
          await ctx.announcements.announceWork(ctx.db, resumeImportsName);
      }
    },
  });
}

function isCancelled(error: unknown): boolean {
  return error instanceof DomainError && error.details[0]?.reason === 'cancelled';
}
