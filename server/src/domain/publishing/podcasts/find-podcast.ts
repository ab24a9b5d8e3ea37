import type { Context } from '../../foundation/context.ts';
import { DomainError } from '../../foundation/errors.ts';
import type { Podcast } from './podcast.ts';
import {
  type SlugOfPodcast,
  selectPodcast,
  selectPodcastByGuid,
  selectPodcastBySlug,
  selectPodcastIdOfSlug,
  selectSlugsOfAccount,
} from './podcasts.sql.ts';

/** Finds a podcast by a slug that it has or had, in any status. */
export async function getPodcastBySlug(ctx: Context, slug: string): Promise<Podcast> {
  const podcast =
    (await selectPodcastBySlug(ctx.db, slug)) ?? (await selectPodcastOfEarlierSlug(ctx, slug));
  if (podcast === undefined) throw new DomainError('not_found', `There is no podcast ${slug}.`);
  return podcast;
}

async function selectPodcastOfEarlierSlug(ctx: Context, slug: string) {
  const podcastId = await selectPodcastIdOfSlug(ctx.db, slug);
  return podcastId == null ? undefined : await selectPodcast(ctx.db, podcastId);
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

/** All slugs with this beginning that podcasts of the account have or had. */
export function listSlugsOfAccount(
  ctx: Context,
  accountId: string,
  prefix: string,
): Promise<SlugOfPodcast[]> {
  return selectSlugsOfAccount(ctx.db, accountId, prefix);
}

/** For proposing a slug. `createPodcast` takes it, and may still fail. */
export async function isSlugTaken(ctx: Context, slug: string): Promise<boolean> {
  return (await selectPodcastIdOfSlug(ctx.db, slug)) !== undefined;
}
