import { defineJob } from '../../foundation/job.ts';
import { watchOverage } from './watch-overage.ts';

export const watchOverageJob = defineJob({
  name: 'watch-overage',
  timeoutSeconds: 5 * 60,
  run: (ctx, _payload, { signal }) => watchOverage(ctx, signal),
});
