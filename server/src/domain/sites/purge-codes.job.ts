import { defineJob } from '../job.ts';
import { noPayload } from '../job-payload.ts';
import { deleteExpiredCodes } from './codes.sql.ts';

/** Deletes the codes that no site has exchanged in time. */
export const purgeCodesJob = defineJob({
  name: 'purge-site-codes',
  payload: noPayload,
  // The next hour's run deletes what this one missed.
  retries: 0,
  timeoutSeconds: 60,
  concurrency: 1,
  run: (ctx) => deleteExpiredCodes(ctx.db, ctx.clock.now()),
});
