import type { Context } from '../../foundation/context.ts';
import { notFound, refuseWrong } from '../../foundation/errors.ts';
import { parseHome, tryParseAdminUrl } from './addresses.ts';
import { checkReported } from './check-connection.ts';
import { type ReportedVersions, updateHealth } from './posts.sql.ts';
import { requireOwnSite, type SiteStatus } from './site.ts';

export interface Health {
  readonly siteId: string;
  readonly versions: ReportedVersions;
  /** Undefined: keeps the known one. */
  readonly adminUrl: string | undefined;
  /** Null: never; undefined: not reported. */
  readonly lastSyncAt: Date | null | undefined;
  /** Errors since the previous report. */
  readonly syncErrorCount: number;
}

export interface ReceivedHealth {
  readonly siteId: string;
  readonly status: SiteStatus;
  readonly receivedAt: Date;
}

/**
 * Called by the site itself. Its errors are added to those of earlier reports. Works with any plan.
 */
export async function reportHealth(ctx: Context, input: Health): Promise<ReceivedHealth> {
  const { site, keyId } = requireOwnSite(ctx, 'site.act', input.siteId);
  refuseWrong('The report is invalid.', checkReported(site, input));
  const { adminUrl: given } = input;
  const adminUrl = given && tryParseAdminUrl(parseHome(site.siteUrl), given);
  const { id: siteId, status } = site;
  const receivedAt = ctx.clock.now();
  const report = { ...input, siteId, adminUrl, keyId, now: receivedAt };
  if (!(await updateHealth(ctx.db, report))) throw notFound('site');
  return { siteId, status, receivedAt };
}
