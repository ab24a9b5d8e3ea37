import { defineJob } from '../../foundation/job.ts';
import { mostThreadBytes, staleMs } from './comment.ts';
import { deleteExcessThreads, deleteOldThreads } from './threads.sql.ts';

const atOnce = 1_000;

/** Deletes comments that nobody has requested in a day, and the oldest ones if all are too many. */
export const purgeThreadsJob = defineJob({
  name: 'purge-comment-threads',
  timeoutSeconds: 600,
  async run(ctx, _payload, { signal }) {
    const before = new Date(ctx.clock.now().getTime() - staleMs);
    await repeat(() => deleteOldThreads(ctx.db, before, atOnce), signal);
    await repeat(() => deleteExcessThreads(ctx.db, mostThreadBytes, atOnce), signal);
  },
});

async function repeat(deleteSome: () => Promise<number>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) if ((await deleteSome()) < atOnce) return;
}
