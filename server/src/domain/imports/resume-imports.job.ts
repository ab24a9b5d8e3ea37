import Type from 'typebox';
import { defineJob } from '../job.ts';
import { continueImportJob } from './continue-import.job.ts';
import { listAbandonedImports } from './resume-import.ts';

/** Finds imports whose process has died or stopped, and has them gone on with. */
export const resumeImportsJob = defineJob({
  name: 'resume-imports',
  payload: Type.Object({}),
  retries: 0,
  timeoutSeconds: 60,
  concurrency: 1,
  async run(ctx, _payload, { order }) {
    for (const importId of await listAbandonedImports(ctx)) {
      await order(continueImportJob, { importId }, importId);
    }
  },
});
