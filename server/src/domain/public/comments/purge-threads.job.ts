import { defineJob } from '../../foundation/job.ts';
import { staleMs } from './comment.ts';
import { deleteOldThreads } from './threads.sql.ts';

const atOnce = 1_000;

/** Deletes comments that nobody has requested in a day. */
export const purgeThreadsJob = defineJob({
  name: 'purge-comment-threads',
  timeoutSeconds: 600,
  async run(ctx, _payload, { signal }) {
    const before = new Date(ctx.clock.now().getTime() - staleMs);
    while (!signal.aborted) {
      if ((await deleteOldThreads(ctx.db, before, atOnce)) < atOnce) return;
    }
  },
});
