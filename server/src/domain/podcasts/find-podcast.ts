import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import type { Podcast } from './podcast.ts';
import {
  isPodcastSlugTaken,
  selectPodcast,
  selectPodcastByGuid,
  selectPodcastBySlug,
} from './podcasts.sql.ts';

/** By its current slug, whatever its status. */
export async function getPodcastBySlug(ctx: Context, slug: string): Promise<Podcast> {
  const podcast = await selectPodcastBySlug(ctx.db, slug);
  if (podcast === undefined) throw new DomainError('not_found', `There is no podcast ${slug}.`);
  return podcast;
}

export function findPodcast(ctx: Context, podcastId: string): Promise<Podcast | undefined> {
  return selectPodcast(ctx.db, podcastId);
}

export function findPodcastByGuid(
  ctx: Context,
  accountId: string,
  guid: string,
): Promise<Podcast | undefined> {
  return selectPodcastByGuid(ctx.db, accountId, guid);
}

/** For proposing a slug; taking one is `createPodcast`'s, and can still fail. */
export function isSlugTaken(ctx: Context, slug: string): Promise<boolean> {
  return isPodcastSlugTaken(ctx.db, slug);
}
