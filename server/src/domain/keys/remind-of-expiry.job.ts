import { defineJob } from '../job.ts';
import { noPayload } from '../job-payload.ts';
import { remindOfExpiry } from './remind-of-expiry.ts';

/** Reminds users of keys that expire within a week. */
export const remindOfExpiryJob = defineJob({
  name: 'remind-of-expiry',
  payload: noPayload,
  retries: 0,
  timeoutSeconds: 60,
  concurrency: 1,
  run: (ctx, _payload, { signal }) => remindOfExpiry(ctx, signal),
});
