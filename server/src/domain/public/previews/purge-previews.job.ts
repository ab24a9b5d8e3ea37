import { defineJob } from '../../foundation/job.ts';
import { deleteExpiredPreviewLinks } from './previews.sql.ts';

/** Deletes the links that have expired. */
export const purgePreviewsJob = defineJob({
  name: 'purge-previews',
  timeoutSeconds: 60,
  run: (ctx) => deleteExpiredPreviewLinks(ctx.db, ctx.clock.now()),
});
