import { defineJob } from '../job.ts';
import { noPayload } from '../job-payload.ts';
import { purgeEnded } from './purge-ended.ts';

export const purgeEndedJob = defineJob({
  name: 'purge-ended',
  payload: noPayload,
  // The next hour's run deletes what this one missed.
  retries: 0,
  timeoutSeconds: 300,
  concurrency: 1,
  run: (ctx) => purgeEnded(ctx),
});
