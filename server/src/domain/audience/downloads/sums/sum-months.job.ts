import { defineJob } from '../../../foundation/job.ts';
import { sumMonths } from './sum-months.ts';

export const sumMonthsJob = defineJob({
  name: 'sum-download-months',
  timeoutSeconds: 1_800,
  run: (ctx, _payload, { signal }) => sumMonths(ctx, signal),
});
