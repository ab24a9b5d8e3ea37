import { getPlan } from '../../foundation/accounts/index.ts';
import type { Context } from '../../foundation/context.ts';
import { requireFound } from '../../foundation/errors.ts';
import {
  type Action,
  allows,
  authorize,
  type MemberRole,
  roleOf,
} from '../../foundation/permissions/index.ts';
import { podcastStatusesFor } from './change-status.ts';
import type { Podcast, PodcastRight, PodcastSettings } from './podcast.ts';
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

const actionOf = {
  edit: 'podcast.edit',
  people: 'people.edit',
  move: 'podcast.move',
  pause: 'podcast.pause',
  delete: 'podcast.delete',
  import: 'podcast.import',
  team: 'team.manage',
  export: 'podcast.export',
  createEpisodes: 'episode.create',
  analytics: 'analytics.read',
  offerOwnership: 'ownership.offer',
} as const satisfies Record<PodcastRight, Action>;

/** Reads everything that members edit of a podcast, and what the caller may do with it. */
export async function readPodcastSettings(
  ctx: Context,
  podcastId: string,
): Promise<PodcastSettings> {
  const { membership } = await authorize(ctx, 'podcast.read', { podcastId });
  const row = requireFound(await selectPodcastSettings(ctx.db, podcastId), 'podcast');
  const member = roleOf(membership);
  const rights = Object.entries(actionOf).map(([right, action]) => [right, allows(member, action)]);
  const may = Object.fromEntries(rights) as PodcastSettings['may'];
  return {
    ...row,
    alwaysPoweredBy: getPlan(row.plan).alwaysPoweredBy,
    membership: member,
    may,
    mayBecome: podcastStatusesFor(may, row.status),
  };
}
