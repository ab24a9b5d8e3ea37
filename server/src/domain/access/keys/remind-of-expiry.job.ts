import { defineJob } from '../../foundation/job.ts';
import { remindOfExpiry } from './remind-of-expiry.ts';

/** Reminds users of keys that expire within a week. */
export const remindOfExpiryJob = defineJob({
  name: 'remind-of-expiry',
  timeoutSeconds: 60,
  run: (ctx, _payload, { signal }) => remindOfExpiry(ctx, signal),
});
