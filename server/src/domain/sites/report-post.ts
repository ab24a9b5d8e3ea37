import type { Context } from '../context.ts';
import { DomainError, requireFound } from '../errors.ts';
import { parseHome, tryParsePostUrl } from './addresses.ts';
import { checkReported } from './check-connection.ts';
import { reconcileSite } from './feed/reconcile-site.ts';
import { isEpisodeOfKey, type StoredReport, upsertPost } from './posts.sql.ts';
import { requireOwnSite } from './require-own-site.ts';

/** The state of an episode's post on a site. */
export const postStates = ['queued', 'scheduled', 'published', 'draft', 'trashed'] as const;
export type PostState = (typeof postStates)[number];

export interface PostReport {
  readonly siteId: string;
  readonly episodeId: string;
  readonly postUrl: string;
  readonly state: PostState;
  readonly wpPostId: number;
  /** The hash of the change that the post shows; undefined: not reported. */
  readonly contentHash: string | undefined;
}

/** The last report of a post. */
export interface SitePost {
  readonly episodeId: string;
  readonly postUrl: string;
  readonly state: PostState;
  readonly wpPostId: number;
  readonly contentHash: string | null;
  /** True if the hash is that of the newest change of the episode in the site's feed. */
  readonly isUpToDate: boolean;
  readonly reportedAt: Date;
}

/**
 * Called by the site itself: reports the state of an episode's post. A repeated report changes the
 * same record. A tombstoned episode may be reported; one that is not in the site's feed is
 * not_found. Works with any plan.
 */
export async function reportPost(ctx: Context, input: PostReport): Promise<SitePost> {
  const { site, keyId } = requireOwnSite(ctx, 'site.act', input.siteId);
  const details = checkReported(site, input);
  const postUrl = tryParsePostUrl(parseHome(site.siteUrl), input.postUrl);
  if (postUrl === undefined) throw new DomainError('invalid', 'The report is wrong.', { details });
  const reportedAt = ctx.clock.now();
  const report = { ...input, siteId: site.id, postUrl, reportedAt };
  const post = (await upsertPost(ctx.db, report)) ?? (await upsertNewPost(ctx, report, keyId));
  return requireFound(post, "episode in this site's changes");
}

/**
 * For an episode that is missing in the feed because nobody has read the feed since its
 * publication.
 */
async function upsertNewPost(
  ctx: Context,
  report: StoredReport,
  keyId: string,
): Promise<SitePost | undefined> {
  if (!(await isEpisodeOfKey(ctx.db, keyId, report.episodeId))) return undefined;
  for (;;) {
    const { isBehind } = await reconcileSite(ctx, report.siteId);
    const post = await upsertPost(ctx.db, report);
    if (post !== undefined || !isBehind) return post;
  }
}
