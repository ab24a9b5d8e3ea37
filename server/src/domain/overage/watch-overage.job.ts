import { defineJob } from '../job.ts';
import { noPayload } from '../job-payload.ts';
import { watchOverage } from './watch-overage.ts';

/** Not retried: the next run finds what is left. */
export const watchOverageJob = defineJob({
  name: 'watch-overage',
  payload: noPayload,
  retries: 0,
  timeoutSeconds: 5 * 60,
  concurrency: 1,
  run: (ctx, _payload, { signal }) => watchOverage(ctx, signal),
});
