import { defineJob, type Job } from '../../foundation/job.ts';
import { continueImportJob, startImportJob } from './continue-import.job.ts';
import { resumeImportsName, turnKindOf } from './lease.ts';
import { findAbandonedImports } from './resume-import.ts';

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
  },
});
