import { defineJob } from '../../foundation/job.ts';
import { deleteExpiredCodes } from './sites.sql.ts';

/** Deletes the codes that no site has exchanged in time. */
export const purgeCodesJob = defineJob({
  name: 'purge-site-codes',
  timeoutSeconds: 60,
  run: (ctx) => deleteExpiredCodes(ctx.db, ctx.clock.now()),
});
