import type { Context } from '../../foundation/context.ts';
import { authorize, type MemberRole, roleOf } from '../../foundation/permissions/index.ts';
import type { Podcast } from './podcast.ts';
import { getPodcast } from './update-podcast.ts';

/** Reads a podcast as its member sees it, with the member's role. */
export async function readPodcast(
  ctx: Context,
  podcastId: string,
): Promise<Podcast & { readonly membership: MemberRole }> {
  const { membership } = await authorize(ctx, 'podcast.read', { podcastId });
  return { ...(await getPodcast(ctx, podcastId)), membership: roleOf(membership) };
}
