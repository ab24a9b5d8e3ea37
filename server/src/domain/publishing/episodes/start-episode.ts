import { slugify } from '../../../lib/slug.ts';
import { type AttemptLimit, consumeAttempt } from '../../foundation/accounts/index.ts';
import type { Context } from '../../foundation/context.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { createEpisode } from './create-episode.ts';
import type { Episode } from './episode.ts';

export interface StartedEpisode {
  readonly podcastId: string;
  readonly title: string;
  readonly slug?: string | undefined;
}

const perUser: AttemptLimit = { name: 'episodes-user', most: 600, windowMs: 3_600_000 };

/** Makes a draft from its title, and without a slug under one that is free. */
export async function startEpisode(ctx: Context, input: StartedEpisode): Promise<Episode> {
  const { slug, title, podcastId } = input;
  await authorize(ctx, 'episode.create', { podcastId });
  await limitNewEpisodes(ctx);
  return await createEpisode(ctx, {
    podcastId,
    title,
    // Otherwise the title becomes the description, and stays so when the title changes.
    description: '',
    slug: slug ?? slugify(title) ?? 'episode',
    onTakenSlug: slug === undefined ? 'number' : 'refuse',
  });
}

/**
 * Counts an episode that the signed-in user makes by hand, or refuses it. Imports have limits of their
 * own. Not inside a transaction.
 */
export async function limitNewEpisodes(ctx: Context): Promise<void> {
  const { principal } = ctx;
  if (principal.kind === 'user') await consumeAttempt(ctx, [perUser, principal.userId]);
}
