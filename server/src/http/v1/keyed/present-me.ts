import type { Static } from 'typebox';
import { accountRequestsPerMinute } from '../../../domain/accounts/index.ts';
import type { KeyIdentity } from '../../../domain/keys/index.ts';
import type * as schemas from './schemas.ts';

export function presentMe(identity: KeyIdentity): Static<typeof schemas.Me> {
  const { kind, userId: id, user, key, site, podcasts, planName } = identity;
  const { name, email } = user;
  return {
    // A site's key is stored in the site's database, so it must not reveal its owner's address.
    user: kind === 'key' ? { id, name, email } : { id, name },
    key: {
      id: key.id,
      name: key.name,
      kind: kind === 'key' ? 'user' : 'site',
      last_four: key.lastFour,
      scopes: [...key.scopes],
      podcasts: podcasts === 'all' ? podcasts : [...podcasts],
      created_at: key.createdAt.toISOString(),
      expires_at: key.expiresAt.toISOString(),
    },
    account: { plan: user.plan, plan_name: planName, plan_state: user.planState },
    rate_limit: { requests_per_minute: accountRequestsPerMinute },
    site: site === undefined ? null : { id: site.id, site_url: site.siteUrl, status: site.status },
  };
}
