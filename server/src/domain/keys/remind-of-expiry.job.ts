import Type from 'typebox';
import { defineJob } from '../job.ts';
import { remindOfExpiry } from './remind-of-expiry.ts';

/** Tells people of keys that expire within a week. */
export const remindOfExpiryJob = defineJob({
  name: 'remind-of-expiry',
  payload: Type.Object({}),
  retries: 0,
  timeoutSeconds: 60,
  concurrency: 1,
  run: (ctx, _payload, { signal }) => remindOfExpiry(ctx, signal),
});
