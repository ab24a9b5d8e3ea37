import Type from 'typebox';
import { defineJob } from '../job.ts';
import { giveNotice } from './give-notice.ts';

/** Not retried: what was not told of is still to be read, and the next run finds it. */
export const giveNoticeJob = defineJob({
  name: 'give-notice',
  payload: Type.Object({}),
  retries: 0,
  timeoutSeconds: 10 * 60,
  concurrency: 1,
  async run(ctx, _payload, { signal }) {
    await giveNotice(ctx, { signal });
  },
});
