import Type from 'typebox';
import { getKeyIdentity } from '../../../domain/access/keys/index.ts';
import { defineKeyedRoute } from './keyed-route.ts';
import { presentKeyIdentity } from './present-me.ts';
import { keyedResponses } from './responses.ts';
import { Me } from './schemas.ts';

export const meRoute = defineKeyedRoute({
  path: '/v1/me',
  id: 'getMe',
  tag: 'Key',
  summary: 'Who a key belongs to',
  description:
    'Any key may ask. Refused with 403 `forbidden` until the user has accepted the current terms in the app.',
  responses: keyedResponses('User, key and account.', Type.Object({ data: Me })),
  async answer(ctx) {
    return { data: presentKeyIdentity(await getKeyIdentity(ctx)) };
  },
});
