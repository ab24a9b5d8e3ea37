import Type from 'typebox';
import {
  checkReported,
  type ReportedVersions,
  reportHealth,
} from '../../../domain/exchange/sites/index.ts';
import { tryParseTimestamp } from '../../../lib/time.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import { nullable, someText } from '../../described-fields.ts';
import { adminUrl, reportedVersions, SiteHealth } from './schemas.ts';
import { defineSiteReport, reported } from './site-route.ts';

export const healthRoute = defineSiteReport({
  path: 'health',
  body: Type.Object({
    ...reportedVersions,
    admin_url: adminUrl,
    last_sync_at: Type.Optional(
      nullable(
        someText('2026-03-01T05:00:00.000Z'),
        'When the site last applied changes: ISO 8601 with a zone, or null for never.',
      ),
    ),
    sync_error_count: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000,
        default: 0,
        description: 'Errors since the previous report',
        examples: [0],
      }),
    ),
  }),
  id: 'reportSiteHealth',
  tag: 'Connected sites',
  summary: 'Report how a site is doing',
  description: 'Its owner sees it in the app. Requires no plan. Unknown properties are ignored.',
  responses: reported('The report was received.', SiteHealth),
  check({ body, site, refuse }) {
    if (site !== undefined) refuse(...checkReported(site, { adminUrl: body.admin_url }));
    const { last_sync_at: given } = body;
    const lastSyncAt = given == null ? given : tryParseTimestamp(given);
    if (given != null && lastSyncAt === undefined) {
      const message = 'This must be a time such as 2026-03-01T05:00:00Z, or null.';
      refuse({ field: 'last_sync_at', message });
    }
    return { lastSyncAt };
  },
  async answer(ctx, { siteId, body, checked }) {
    const received = await reportHealth(ctx, {
      siteId,
      versions: readVersions(body),
      adminUrl: body.admin_url,
      lastSyncAt: checked.lastSyncAt,
      syncErrorCount: body.sync_error_count ?? 0,
    });
    return { data: wireNames(received) };
  },
});

interface GivenVersions {
  readonly plugin_version: string;
  readonly wp_version: string;
  readonly php_version: string;
}

export function readVersions(body: GivenVersions): ReportedVersions {
  return { plugin: body.plugin_version, wordpress: body.wp_version, php: body.php_version };
}
