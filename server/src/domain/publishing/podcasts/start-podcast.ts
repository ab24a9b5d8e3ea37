import { randomInt } from 'node:crypto';
import { disambiguateSlug, slugify } from '../../../lib/slug.ts';
import { consumeAttempt, getUser } from '../../foundation/accounts/index.ts';
import type { Context } from '../../foundation/context.ts';
import { DomainError } from '../../foundation/errors.ts';
import { requireUser } from '../../foundation/principal.ts';
import { createPodcast, slugsOfUser } from './create-podcast.ts';
import { isSlugTaken } from './find-podcast.ts';
import type { Podcast, PodcastFields } from './podcast.ts';

export type StartedPodcast = Partial<
  Pick<
    PodcastFields,
    | ('slug' | 'author' | 'description' | 'language' | 'timezone')
    | ('category' | 'subcategory' | 'explicit')
  >
> & { readonly title: string };

const mostNumbers = 20;

/**
 * Makes a podcast of the signed-in user from as little as its title. Without a slug it gets one
 * from the title, with a number if that is taken.
 */
export async function startPodcast(ctx: Context, input: StartedPodcast): Promise<Podcast> {
  const owner = await getUser(ctx, requireUser(ctx));
  await consumeAttempt(ctx, [slugsOfUser, owner.id]);
  const { slug } = input;
  if (slug !== undefined) return createPodcast(ctx, { ...input, slug, owner });
  for (const proposed of proposeSlugs(input.title)) {
    if (await isSlugTaken(ctx, proposed)) continue;
    try {
      return await createPodcast(ctx, { ...input, slug: proposed, owner });
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
  }
  throw new DomainError('service_unavailable', 'No free address was found. Please try again.');
}

/** The slug of the title, then the same with numbers, and finally with random numbers. */
function* proposeSlugs(title: string): Generator<string> {
  const base = slugify(title) ?? 'podcast';
  yield base;
  for (let number = 2; number <= mostNumbers; number += 1) yield disambiguateSlug(base, number);
  for (let tries = 0; tries < mostNumbers; tries += 1) {
    yield disambiguateSlug(base, randomInt(1_000, 1_000_000));
  }
}

/** Another request has taken the slug meanwhile. */
function isTaken(error: unknown): boolean {
  return (
    error instanceof DomainError && error.details.some(({ reason }) => reason === 'slug_taken')
  );
}
