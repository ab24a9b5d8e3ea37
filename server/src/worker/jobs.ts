import { continueImportJob, resumeImportsJob } from '../domain/imports/index.ts';
import type { Job } from '../domain/job.ts';

/** Every job there is. */
export const jobs: readonly Job[] = [continueImportJob, resumeImportsJob];
