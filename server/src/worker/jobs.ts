import { continueImportJob, resumeImportsJob } from '../domain/imports/index.ts';
import type { Job } from '../domain/job.ts';
import { remindOfExpiryJob } from '../domain/keys/index.ts';
import { sendLettersJob } from '../domain/letters/index.ts';
import { drawWaveformsJob, forgetWaveformsJob } from '../domain/media/index.ts';
import { giveNoticeJob } from '../domain/notices/index.ts';
import { forgetEndedJob } from '../domain/sessions/index.ts';

/** Every job there is. */
export const jobs: readonly Job[] = [
  continueImportJob,
  resumeImportsJob,
  drawWaveformsJob,
  forgetWaveformsJob,
  forgetEndedJob,
  remindOfExpiryJob,
  sendLettersJob,
  giveNoticeJob,
];
