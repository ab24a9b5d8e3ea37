import { defineJob } from '../job.ts';
import { noPayload } from '../job-payload.ts';
import { notifyOfChanges } from './notify-of-changes.ts';

/** Not retried: unread changes stay, and the next run reads them. */
export const notifyOfChangesJob = defineJob({
  name: 'notify-of-changes',
  payload: noPayload,
  retries: 0,
  timeoutSeconds: 10 * 60,
  concurrency: 1,
  async run(ctx, _payload, { signal }) {
    await notifyOfChanges(ctx, { signal });
  },
});
