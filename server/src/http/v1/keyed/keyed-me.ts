import Type, { type Static } from 'typebox';
import { getKeyIdentity, type KeyIdentity } from '../../../domain/access/keys/index.ts';
import { accountRequestsPerMinute } from '../../../domain/foundation/accounts/index.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import { keyedResponses } from '../responses.ts';
import { defineKeyedRoute } from './keyed-route.ts';
import type * as schemas from './keyed-schemas.ts';
import { Me } from './keyed-schemas.ts';

export const meRoute = defineKeyedRoute({
  path: '/v1/me',
  id: 'getMe',
  tag: 'Key',
  summary: 'Who a key belongs to',
  description:
    'Any key may be used. Refused with 403 `forbidden` until the user has accepted the current terms in the app.',
  responses: keyedResponses('User, key and account.', Type.Object({ data: Me })),
  async respond(ctx) {
    return { data: presentKeyIdentity(await getKeyIdentity(ctx)) };
  },
});

function presentKeyIdentity(identity: KeyIdentity): Static<typeof schemas.Me> {
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
