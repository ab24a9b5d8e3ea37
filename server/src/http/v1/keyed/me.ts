import Type from 'typebox';
import { getPlan } from '../../../domain/accounts/index.ts';
import { DomainError } from '../../../domain/errors.ts';
import { type Caller, getKeyPodcasts } from '../../../domain/keys/index.ts';
import type { Web } from '../../web.ts';
import { defineKeyedRoute } from './keyed-route.ts';
import { presentMe } from './present-me.ts';
import { keyedResponses } from './responses.ts';
import { Me } from './schemas.ts';

export const meRoute = defineKeyedRoute({
  path: '/v1/me',
  operation: {
    id: 'getMe',
    tag: 'Key',
    summary: 'Who a key belongs to',
    description:
      'Any key may ask. Refused with 403 `forbidden` until the user has accepted the current terms in the app.',
    responses: keyedResponses('User, key and account.', Type.Object({ data: Me })),
  },
  async read(web, { caller }) {
    refuseWithoutTerms(web, caller);
    const podcasts = await getKeyPodcasts(web.ctx, caller);
    return { data: presentMe(caller, podcasts, getPlan(caller.plan)) };
  },
});

function refuseWithoutTerms({ ctx }: Web, { acceptedTerms }: Caller): void {
  const { terms } = ctx.installation;
  if (terms === undefined || acceptedTerms === terms.version) return;
  throw new DomainError('forbidden', 'The current terms have not been accepted in the app.');
}
