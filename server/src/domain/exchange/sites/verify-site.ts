import { listSitePodcastIds } from '../../access/keys/index.ts';
import type { Context } from '../../foundation/context.ts';
import { notFound } from '../../foundation/errors.ts';
import { type ReportedVersions, updateVerification } from './posts.sql.ts';
import { requireOwnSite } from './site.ts';

export interface Verification {
  readonly siteId: string;
  readonly versions: ReportedVersions;
  readonly siteName?: string | undefined;
}

/** The verified site. */
export interface VerifiedSite {
  readonly siteId: string;
  /** True only for the call that made the site active. */
  readonly activated: boolean;
  /** The podcasts that its key names now, oldest first. */
  readonly podcastIds: readonly string[];
}

/**
 * Called by the site itself: makes it active. Works with any plan. Of two concurrent calls, one
 * returns `activated`.
 */
export async function verifySite(ctx: Context, input: Verification): Promise<VerifiedSite> {
  const { versions } = input;
  const siteName = input.siteName?.trim() || null;
  const { site, userId, keyId } = requireOwnSite(ctx, 'site.act', input.siteId);
  const siteId = site.id;
  const now = ctx.clock.now();
  const activated = await updateVerification(ctx.db, { siteId, keyId, versions, siteName, now });
  if (activated === undefined) throw notFound('site');
  return { siteId, activated, podcastIds: await listSitePodcastIds(ctx, { userId, keyId }) };
}
