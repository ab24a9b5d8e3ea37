import type { Static } from 'typebox';
import { accountRequestsPerMinute, type Plan } from '../../../domain/accounts/index.ts';
import type { Caller, KeyPodcasts } from '../../../domain/keys/index.ts';
import type * as schemas from './schemas.ts';

export function presentMe(
  caller: Caller,
  podcasts: KeyPodcasts,
  plan: Plan,
): Static<typeof schemas.Me> {
  const { userId, userName: name, email, kind } = caller;
  return {
    // A site's key stands in a site's database: it tells nobody its owner's address.
    user: kind === 'user' ? { id: userId, name, email } : { id: userId, name },
    key: {
      id: caller.keyId,
      name: caller.keyName,
      kind,
      last_four: caller.lastFour,
      scopes: [...caller.scopes],
      podcasts: podcasts === 'all' ? podcasts : [...podcasts],
      created_at: caller.createdAt.toISOString(),
      expires_at: caller.expiresAt.toISOString(),
    },
    account: { plan: plan.id, plan_name: plan.name, plan_state: caller.planState },
    rate_limit: { requests_per_minute: accountRequestsPerMinute },
    site: null,
  };
}
