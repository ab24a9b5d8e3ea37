import { getPlan } from '../../foundation/accounts/index.ts';
import type { Context } from '../../foundation/context.ts';
import { requireFound } from '../../foundation/errors.ts';
import { authorize, type MemberRole, roleOf } from '../../foundation/permissions/index.ts';
import { podcastStatusesFor } from './change-status.ts';
import type { Podcast, PodcastSettings } from './podcast.ts';
import { rightsOf } from './podcast-rights.ts';
import { selectPodcastSettings } from './podcasts.sql.ts';
import { getPodcast } from './update-podcast.ts';

/** Reads a podcast as its member sees it, with the member's role. */
export async function readPodcast(
  ctx: Context,
  podcastId: string,
): Promise<Podcast & { readonly membership: MemberRole }> {
  const { membership } = await authorize(ctx, 'podcast.read', { podcastId });
  return { ...(await getPodcast(ctx, podcastId)), membership: roleOf(membership) };
}

/** Reads everything that members edit of a podcast, and what the caller may do with it. */
export async function readPodcastSettings(
  ctx: Context,
  podcastId: string,
): Promise<PodcastSettings> {
  const { membership } = await authorize(ctx, 'podcast.read', { podcastId });
  const row = requireFound(await selectPodcastSettings(ctx.db, podcastId), 'podcast');
  const member = roleOf(membership);
  const may = rightsOf(member);
  return {
    ...row,
    alwaysPoweredBy: getPlan(row.plan).alwaysPoweredBy,
    membership: member,
    may,
    mayBecome: podcastStatusesFor(may, row.status),
  };
}
