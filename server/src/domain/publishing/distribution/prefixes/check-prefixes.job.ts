import { defineJob } from '../../../foundation/job.ts';
import { checkPrefixes } from './check-prefixes.ts';

/** FEED-18 */
export const checkPrefixesJob = defineJob({
  name: 'check-prefixes',
  timeoutSeconds: 3000,
  run: (ctx, _payload, { signal }) => checkPrefixes(ctx, signal),
});
