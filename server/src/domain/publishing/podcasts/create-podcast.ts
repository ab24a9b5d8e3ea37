import type { ElementChanges } from '../../../lib/fields/feed-elements.ts';
import { withDefaults } from '../../../lib/fields/field.ts';
import { podcastFields } from '../../../lib/fields/podcast-fields.ts';
import { mostSlugs, proposeSlugs, slugify } from '../../../lib/slug.ts';
import { newId, podcastGuid } from '../../../lib/uuid.ts';
import { isUniqueViolation } from '../../../platform/database/sql-errors.ts';
import { type AttemptLimit, consumeAttempt, getUser } from '../../foundation/accounts/index.ts';
import { feedUrl } from '../../foundation/addresses.ts';
import { checkFields } from '../../foundation/check-fields.ts';
import { type Context, transact } from '../../foundation/context.ts';
import type { PodcastStatus } from '../../foundation/enumerations.ts';
import {
  DomainError,
  type ErrorDetail,
  invalid,
  noFreeSlug,
  refuseWrong,
} from '../../foundation/errors.ts';
import { announceChange } from '../../foundation/outbox/index.ts';
import { requireUser } from '../../foundation/principal.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import { beginRevisions } from '../../foundation/revisions/index.ts';
import { limitTexts } from '../../foundation/storage/index.ts';
import {
  changeElements,
  checkAllElements,
  checkElements,
  splitElements,
} from './elements/change-elements.ts';
import { isSlugTaken } from './find-podcast.ts';
import { insertMember } from './members.sql.ts';
import { cleanPageText } from './notes/clean-page-text.ts';
import type { Podcast, PodcastFields } from './podcast.ts';
import { claimPodcastSlug, insertPodcast } from './podcasts.sql.ts';
import { refuseOwnFeed } from './refuse-own-feed.ts';

/** Returns all validation errors, under the fields' names in seed files. */
export function checkPodcast(fields: Partial<PodcastFields>): ErrorDetail[] {
  const details = checkFields(podcastFields, fields);
  return [...details, ...checkAllElements('show', fields.extraElements ?? [])];
}

export type NewPodcast = Partial<PodcastFields> &
  ElementChanges & {
    readonly slug: string;
    readonly title: string;
    readonly owner: { readonly id: string; readonly accountId: string; readonly name: string };
    /** Default: derived from the feed's first address (Podcasting 2.0). */
    readonly guid?: string | undefined;
    readonly status?: PodcastStatus | undefined;
    /** Slugs that the podcast had elsewhere: they redirect to the current one. */
    readonly previousSlugs?: readonly string[] | undefined;
    readonly createdAt?: Date | undefined;
  };

/**
 * Makes a podcast with its owner as first member. Throws if the slug is or ever was another
 * podcast's.
 */
export async function createPodcast(ctx: Context, input: NewPodcast): Promise<Podcast> {
  const refusal = 'The podcast was not created.';
  refuseWrong(refusal, checkNewPodcast(input));
  const pageText = await cleanPageText(ctx, input.pageText ?? null);
  const podcast = { ...buildPodcast(ctx, input), pageText };
  refuseWrong(refusal, checkPodcast(podcast));
  await transact(ctx, async (tx) => {
    const { domain: _, ...columns } = podcast;
    await insertOnce(tx, columns);
    await limitTexts(tx, podcast.id);
    beginRevisions(tx, { podcastId: podcast.id });
    for (const slug of [podcast.slug, ...(input.previousSlugs ?? [])]) {
      await claimSlug(tx, slug, podcast.id);
    }
    await refuseOwnFeed(tx, podcast.id, podcast);
    await insertMember(tx.db, {
      podcastId: podcast.id,
      userId: input.owner.id,
      role: 'owner',
      roleName: null,
      capabilities: null,
      createdAt: podcast.createdAt,
    });
    await announceChange(tx, { kind: 'podcast.created', podcastId: podcast.id });
  });
  return podcast;
}

/** Returns all validation errors. Whether a slug is free is checked when it is taken. */
export function checkNewPodcast(input: Omit<NewPodcast, 'owner'>): ErrorDetail[] {
  const { elements } = splitElements('show', input);
  const details = [...checkPodcast(input), ...checkElements('show', elements)];
  if (input.status === 'moved' && input.newFeedUrl == null) {
    details.push({
      field: 'new_feed_url',
      ...sayRefusal('new_feed_needed'),
    });
  }
  // With the present one.
  if ((input.previousSlugs ?? []).length >= mostSlugs) {
    const said = sayRefusal('element_count', { max: mostSlugs - 1 });
    details.push({ field: 'previous_slugs', ...said });
  }
  return details;
}

/** Slugs are never released, so a user may take only a limited number. */
export const slugsOfUser: AttemptLimit = {
  name: 'podcasts-user',
  most: 60,
  windowMs: 3_600_000,
};

/** Takes a slug for a podcast permanently; throws if it is taken. */
export async function claimSlug(ctx: Context, slug: string, podcastId: string): Promise<void> {
  const [detail] = checkPodcast({ slug });
  if (detail !== undefined) throw new DomainError('invalid', detail.message, { details: [detail] });
  if (!(await claimPodcastSlug(ctx.db, slug, podcastId, ctx.clock.now()))) {
    throw invalid('slug', sayRefusal('slug_taken', { slug }), 'slug_taken');
  }
}

async function insertOnce(ctx: Context, podcast: Omit<Podcast, 'domain'>): Promise<void> {
  try {
    await insertPodcast(ctx.db, podcast);
  } catch (error) {
    if (isUniqueViolation(error, 'podcasts_slug_key')) {
      throw invalid('slug', sayRefusal('slug_taken', { slug: podcast.slug }), 'slug_taken');
    }
    if (isUniqueViolation(error, 'podcasts_account_id_guid_key')) {
      throw invalid('guid', 'This account already has a podcast with this GUID.');
    }
    throw error;
  }
}

function buildPodcast(ctx: Context, input: NewPodcast): Podcast {
  const { owner, guid, status, createdAt, slug, title, extraElements = [] } = input;
  const now = ctx.clock.now();
  const { elements } = splitElements('show', input);
  return {
    ...withDefaults(podcastFields, input),
    author: input.author ?? owner.name,
    description: input.description ?? title,
    extraElements: changeElements('show', extraElements, elements, now).elements,
    slug,
    title,
    id: newId(),
    accountId: owner.accountId,
    guid: guid ?? podcastGuid(feedUrl(ctx.installation, { slug, domain: null })),
    status: status ?? 'active',
    artworkId: null,
    headerImageId: null,
    revision: 1,
    domain: null,
    createdAt: createdAt ?? now,
  };
}

export type StartedPodcast = Partial<
  Pick<
    PodcastFields,
    | ('slug' | 'author' | 'description' | 'language' | 'timezone')
    | ('category' | 'subcategory' | 'explicit')
  >
> & { readonly title: string };

/**
 * Makes a podcast of the signed-in user from as little as its title. Without a slug it gets one
 * from the title, with a number if that is taken.
 */
export async function startPodcast(ctx: Context, input: StartedPodcast): Promise<Podcast> {
  const owner = await getUser(ctx, requireUser(ctx));
  await consumeAttempt(ctx, [slugsOfUser, owner.id]);
  const { slug } = input;
  if (slug !== undefined) return createPodcast(ctx, { ...input, slug, owner });
  for (const proposed of proposeSlugs(slugify(input.title) ?? 'podcast')) {
    if (await isSlugTaken(ctx, proposed)) continue;
    try {
      return await createPodcast(ctx, { ...input, slug: proposed, owner });
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
  }
  throw noFreeSlug();
}

/** Another request has taken the slug since. */
function isTaken(error: unknown): boolean {
  return (
    error instanceof DomainError && error.details.some(({ reason }) => reason === 'slug_taken')
  );
}
