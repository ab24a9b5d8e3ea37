import type { Static } from 'typebox';
import type { KeyIdentity } from '../../../domain/access/keys/index.ts';
import { accountRequestsPerMinute } from '../../../domain/foundation/accounts/index.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import type * as schemas from './schemas.ts';

export function presentKeyIdentity(identity: KeyIdentity): Static<typeof schemas.Me> {
  const { kind, userId: id, user, key, site, podcasts, planName } = identity;
  const { name, email } = user;
  return {
    // A site's key is stored in the site's database, so it must not reveal its owner's address.
    user: kind === 'key' ? { id, name, email } : { id, name },
    key: { ...wireNames({ ...key, podcasts }), kind: kind === 'key' ? 'user' : 'site' },
    account: { plan: user.plan, plan_name: planName, plan_state: user.planState },
    rate_limit: { requests_per_minute: accountRequestsPerMinute },
    site: wireNames(site ?? null),
  };
}
