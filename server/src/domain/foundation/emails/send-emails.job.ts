import { defineJob, type Job } from '../job.ts';
import { selectNextDueAt } from './emails.sql.ts';
import { leaseMs, pruneEmails, sendEmails } from './send-emails.ts';

const minuteMs = 60_000;

/**
 * Sends emails. Not retried: unsent emails become due again, and the next run sends them. Before it
 * starts, it enqueues the run that takes over if its process is killed.
 */
export const sendEmailsJob: Job = defineJob({
  name: 'send-emails',
  timeoutSeconds: 15 * 60,
  async run(ctx, _payload, { signal, enqueue }) {
    const dueAt = await selectNextDueAt(ctx.db);
    if (dueAt !== undefined) {
      const waitMs = dueAt.getTime() - ctx.clock.now().getTime();
      const delaySeconds = Math.ceil((waitMs > 0 ? waitMs : leaseMs) / 1000) + 1;
      if (waitMs < minuteMs) await enqueue(sendEmailsJob, {}, { key: 'again', delaySeconds });
    }
    await sendEmails(ctx, { signal });
    await pruneEmails(ctx);
  },
});
