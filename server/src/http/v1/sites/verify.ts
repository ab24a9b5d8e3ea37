import Type from 'typebox';
import { verifySite } from '../../../domain/exchange/sites/index.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import { readVersions } from './health.ts';
import { reportedVersions, VerifiedSite } from './schemas.ts';
import { defineSiteReport, reported } from './site-route.ts';

export const verifyRoute = defineSiteReport({
  path: 'verify',
  body: Type.Object({
    ...reportedVersions,
    site_name: Type.Optional(
      Type.String({
        pattern: '^[^\\p{Cc}\\p{Cf}\\p{Cs}]{1,200}$',
        description: "The site's name: 1 to 200 characters, without control and format characters",
        examples: ['Ana’s blog'],
      }),
    ),
  }),
  id: 'verifySite',
  tag: 'Connected sites',
  summary: 'Make a connected site active',
  description:
    'Call it right after the exchange or the registration, and whenever the versions change. Requires no plan. Unknown properties are ignored.',
  responses: reported('The site.', VerifiedSite),
  async answer(ctx, { siteId, body }) {
    const versions = readVersions(body);
    const site = await verifySite(ctx, { siteId, versions, siteName: body.site_name });
    return { data: wireNames({ ...site, status: 'active', podcasts: site.podcastIds }) };
  },
});
