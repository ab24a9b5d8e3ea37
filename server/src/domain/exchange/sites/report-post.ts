import type { Context } from '../../foundation/context.ts';
import { DomainError, type ErrorDetail, requireFound } from '../../foundation/errors.ts';
import { parseHome, tryParsePostUrl } from './addresses.ts';
import { checkReported } from './check-connection.ts';
import { mostReconciliations, reconcileSite, stillComparing } from './feed/reconcile-site.ts';
import { hasPublicEpisodeOfKey, type PostReport, type SitePost, upsertPosts } from './posts.sql.ts';
import { requireOwnSite } from './site.ts';

/** Of one request. */
export const maxReportedPosts = 100;

/**
 * As in `momentAt`: another process may already have told the site of what is public by its clock.
 */
const clockDifferenceMs = 60_000;

/**
 * Called by the site itself: reports the state of an episode's post. A repeated report changes the
 * same record. A tombstoned episode may be reported; one that is not in the site's feed is
 * not_found; one that may be in it only after further comparing is service_unavailable. Works with
 * any plan.
 */
export async function reportPost(
  ctx: Context,
  siteId: string,
  report: PostReport,
): Promise<SitePost> {
  const { posts, refused } = await reportPosts(ctx, siteId, [report]);
  if (refused[0]?.code === 'invalid') {
    throw new DomainError('invalid', 'The report is invalid.', { details: refused[0].details });
  }
  return requireFound(posts[0], "episode in this site's changes");
}

/** A report that was not stored. */
export interface RefusedReport {
  readonly episodeId: string;
  readonly code: 'invalid' | 'not_found';
  readonly details: readonly ErrorDetail[];
}

/**
 * The same for many posts; each report is stored or refused for itself. Of two about one episode,
 * the last is stored.
 */
export async function reportPosts(
  ctx: Context,
  siteId: string,
  given: readonly PostReport[],
): Promise<{ readonly posts: readonly SitePost[]; readonly refused: readonly RefusedReport[] }> {
  const { site, keyId } = requireOwnSite(ctx, 'site.act', siteId);
  const home = parseHome(site.siteUrl);
  const refused: RefusedReport[] = [];
  const reports = new Map<string, PostReport>();
  for (const report of given) {
    const episodeId = report.episodeId.toLowerCase();
    const postUrl = tryParsePostUrl(home, report.postUrl);
    if (postUrl !== undefined) reports.set(episodeId, { ...report, episodeId, postUrl });
    else refused.push({ episodeId, code: 'invalid', details: checkReported(site, report) });
  }
  const stored = await storeReports(ctx, { siteId: site.id, keyId }, [...reports.values()]);
  const posts = new Map(stored.map((post) => [post.episodeId, post]));
  for (const episodeId of reports.keys()) {
    if (!posts.has(episodeId)) refused.push({ episodeId, code: 'not_found', details: [] });
  }
  return { posts: [...reports.keys()].flatMap((id) => posts.get(id) ?? []), refused };
}

/** An episode may be missing in the feed because nobody has read the feed since its publication. */
async function storeReports(
  ctx: Context,
  { siteId, keyId }: { readonly siteId: string; readonly keyId: string },
  reports: readonly PostReport[],
): Promise<readonly SitePost[]> {
  if (reports.length === 0) return [];
  const reporting = { siteId, reportedAt: ctx.clock.now() };
  const posts = await upsertPosts(ctx.db, reporting, reports);
  let missing = without(reports, posts);
  const ids = missing.map(({ episodeId }) => episodeId);
  const soon = new Date(reporting.reportedAt.getTime() + clockDifferenceMs);
  const mayBeNew = ids.length > 0 && (await hasPublicEpisodeOfKey(ctx.db, keyId, ids, soon));
  if (!mayBeNew) return posts;
  for (let round = 0; round < mostReconciliations; round += 1) {
    const { isBehind } = await reconcileSite(ctx, siteId);
    const more = await upsertPosts(ctx.db, reporting, missing);
    posts.push(...more);
    missing = without(missing, more);
    if (missing.length === 0 || !isBehind) return posts;
  }
  throw stillComparing();
}

function without(reports: readonly PostReport[], posts: readonly SitePost[]): PostReport[] {
  const stored = new Set(posts.map(({ episodeId }) => episodeId));
  return reports.filter(({ episodeId }) => !stored.has(episodeId));
}
