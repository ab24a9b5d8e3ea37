import { resumeImportsJob } from '../domain/imports/index.ts';
import type { Job } from '../domain/job.ts';

export interface Scheduled {
  /** One that is told nothing. */
  readonly job: Job;
  /** In UTC. Of several processes one orders it. */
  readonly cron: string;
}

/** What is done by the clock; each of these is also done when a worker starts. */
export const schedule: readonly Scheduled[] = [{ job: resumeImportsJob, cron: '* * * * *' }];
