import { defineJob } from '../../foundation/job.ts';
import { checkDomains } from './check-domains.ts';

/** DOMAIN-2 */
export const checkDomainsJob = defineJob({
  name: 'check-domains',
  timeoutSeconds: 3000,
  run: async (ctx, _payload, { signal }) => {
    await checkDomains(ctx, signal);
  },
});
