import { purgeEndedKeysJob, remindOfExpiryJob } from '../domain/access/keys/index.ts';
import { purgeEndedJob } from '../domain/access/sessions/index.ts';
import { purgeEvidenceJob, sumMonthsJob } from '../domain/audience/downloads/index.ts';
import { watchOverageJob } from '../domain/audience/overage/index.ts';
import {
  continueImportJob,
  purgeImportsJob,
  resumeImportsJob,
  startImportJob,
} from '../domain/exchange/imports/index.ts';
import {
  purgeCodesJob,
  purgeEndedSitesJob,
  purgeRecentContentsJob,
  purgeSiteContentsJob,
} from '../domain/exchange/sites/index.ts';
import { purgeDeliveriesJob } from '../domain/exchange/webhooks/index.ts';
import { sendEmailsJob } from '../domain/foundation/emails/index.ts';
import type { Job } from '../domain/foundation/job.ts';
import { mergeTextSumsJob, watchStorageJob } from '../domain/foundation/storage/index.ts';
import { purgeThreadsJob } from '../domain/public/comments/index.ts';
import { purgePreviewsJob } from '../domain/public/previews/index.ts';
import { drawWaveformsJob, purgeWaveformsJob } from '../domain/publishing/audio/index.ts';
import { checkPrefixesJob } from '../domain/publishing/distribution/index.ts';
import { checkDomainsJob } from '../domain/publishing/domains/index.ts';
import { purgeImagesJob } from '../domain/publishing/images/index.ts';
import {
  alignReplacementsJob,
  purgeReplacementsJob,
} from '../domain/publishing/replacements/index.ts';
import { purgeUploadsJob } from '../domain/publishing/uploads/index.ts';
import { sweepFilesJob } from '../domain/service/files/index.ts';
import { notifyOfChangesJob } from '../domain/service/notifications/index.ts';

export interface Scheduled {
  /** A job without a payload. */
  readonly job: Job;
  /** In UTC. One of several processes enqueues it. */
  readonly cron: string;
}

/** Periodic jobs. Each is also enqueued when a worker starts. */
export const schedule: readonly Scheduled[] = [
  { job: resumeImportsJob, cron: '* * * * *' },
  { job: drawWaveformsJob, cron: '* * * * *' },
  { job: alignReplacementsJob, cron: '* * * * *' },
  { job: purgeReplacementsJob, cron: '7 * * * *' },
  { job: purgeWaveformsJob, cron: '17 3 * * *' },
  { job: purgeEndedJob, cron: '17 * * * *' },
  { job: purgeCodesJob, cron: '37 * * * *' },
  { job: purgeEndedSitesJob, cron: '57 * * * *' },
  { job: purgeEndedKeysJob, cron: '27 * * * *' },
  { job: purgeSiteContentsJob, cron: '37 * * * *' },
  { job: purgeRecentContentsJob, cron: '*/10 * * * *' },
  { job: purgeDeliveriesJob, cron: '42 * * * *' },
  { job: purgeUploadsJob, cron: '22 * * * *' },
  { job: purgeImagesJob, cron: '2 * * * *' },
  { job: purgePreviewsJob, cron: '32 * * * *' },
  { job: purgeThreadsJob, cron: '*/10 * * * *' },
  { job: purgeImportsJob, cron: '27 3 * * *' },
  { job: remindOfExpiryJob, cron: '*/10 * * * *' },
  { job: sendEmailsJob, cron: '* * * * *' },
  { job: notifyOfChangesJob, cron: '* * * * *' },
  { job: watchOverageJob, cron: '*/5 * * * *' },
  { job: watchStorageJob, cron: '*/5 * * * *' },
  { job: mergeTextSumsJob, cron: '* * * * *' },
  { job: purgeEvidenceJob, cron: '7 * * * *' },
  { job: sumMonthsJob, cron: '12 * * * *' },
  { job: checkDomainsJob, cron: '*/10 * * * *' },
  { job: checkPrefixesJob, cron: '*/10 * * * *' },
  { job: sweepFilesJob, cron: '47 3 * * *' },
];

/** Jobs that are enqueued only by others. */
export const otherJobs: readonly Job[] = [startImportJob, continueImportJob];
