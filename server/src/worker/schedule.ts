import { resumeImportsJob } from '../domain/imports/index.ts';
import type { Job } from '../domain/job.ts';
import { remindOfExpiryJob } from '../domain/keys/index.ts';
import { sendLettersJob } from '../domain/letters/index.ts';
import { drawWaveformsJob, forgetWaveformsJob } from '../domain/media/index.ts';
import { giveNoticeJob } from '../domain/notices/index.ts';
import { forgetEndedJob } from '../domain/sessions/index.ts';

export interface Scheduled {
  /** One that is told nothing. */
  readonly job: Job;
  /** In UTC. Of several processes one orders it. */
  readonly cron: string;
}

/** What is done by the clock; each of these is also done when a worker starts. */
export const schedule: readonly Scheduled[] = [
  { job: resumeImportsJob, cron: '* * * * *' },
  { job: drawWaveformsJob, cron: '* * * * *' },
  { job: forgetWaveformsJob, cron: '17 3 * * *' },
  { job: forgetEndedJob, cron: '17 * * * *' },
  { job: remindOfExpiryJob, cron: '*/10 * * * *' },
  { job: sendLettersJob, cron: '* * * * *' },
  { job: giveNoticeJob, cron: '* * * * *' },
];
