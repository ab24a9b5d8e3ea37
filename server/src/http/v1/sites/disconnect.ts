import Type from 'typebox';
import { disconnectSite } from '../../../domain/exchange/sites/index.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import { DisconnectedSite } from './schemas.ts';
import { defineSiteReport, reported } from './site-route.ts';

export const disconnectRoute = defineSiteReport({
  path: 'disconnect',
  body: Type.Object({}, { additionalProperties: false }),
  id: 'disconnectSite',
  tag: 'Connected sites',
  summary: 'Disconnect the calling site',
  description:
    'Its key is revoked: later requests with it get 401 `invalid_api_key`. Its posts stay on the site. Requires no plan.',
  responses: reported('The site.', DisconnectedSite),
  async answer(ctx, { siteId }) {
    return { data: wireNames({ ...(await disconnectSite(ctx, siteId)), status: 'revoked' }) };
  },
});
