import Type from 'typebox';
import { defineJob } from '../job.ts';
import { pruneLetters, sendLetters } from './send-letters.ts';

/** Sends letters. Not retried: what was not sent is due again, and the next run finds it. */
export const sendLettersJob = defineJob({
  name: 'send-letters',
  payload: Type.Object({}),
  retries: 0,
  timeoutSeconds: 15 * 60,
  concurrency: 1,
  async run(ctx, _payload, { signal }) {
    await sendLetters(ctx, { signal });
    await pruneLetters(ctx);
  },
});
