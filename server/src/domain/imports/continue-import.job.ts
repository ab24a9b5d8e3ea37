import Type from 'typebox';
import { defineJob } from '../job.ts';
import { resumeImport } from './resume-import.ts';

/**
 * Carries out one import. It is not retried: an import that did not end stays on record, and
 * `resume-imports` finds it there.
 */
export const continueImportJob = defineJob({
  name: 'continue-import',
  payload: Type.Object({ importId: Type.String({ format: 'uuid' }) }),
  retries: 0,
  timeoutSeconds: 23 * 3600,
  // Each has several transfers under way already.
  concurrency: 2,
  async run(ctx, { importId }, { signal }) {
    await resumeImport(ctx, importId, { signal });
  },
});
