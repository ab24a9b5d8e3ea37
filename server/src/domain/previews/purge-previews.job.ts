import { defineJob } from '../job.ts';
import { noPayload } from '../job-payload.ts';
import { deleteExpiredPreviewLinks } from './previews.sql.ts';

/** Deletes the links that have expired. */
export const purgePreviewsJob = defineJob({
  name: 'purge-previews',
  payload: noPayload,
  // The next run deletes what this one missed.
  retries: 0,
  timeoutSeconds: 60,
  concurrency: 1,
  run: (ctx) => deleteExpiredPreviewLinks(ctx.db, ctx.clock.now()),
});
