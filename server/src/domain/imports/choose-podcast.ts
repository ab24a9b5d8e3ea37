import { disambiguateSlug, isSlug, slugify } from '../../lib/slug.ts';
import { podcastGuid } from '../../lib/uuid.ts';
import type { User } from '../accounts/index.ts';
import { feedUrl } from '../addresses.ts';
import { findCurrentSlug } from '../catalogue/index.ts';
import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { findPodcastByGuid, getPodcast, isSlugTaken, type Podcast } from '../podcasts/index.ts';
import { selectPodcastImportedFrom } from './imports.sql.ts';
import { refuseImport } from './refuse-import.ts';

/** Where a feed's episodes go. */
export type PodcastChoice =
  | { readonly kind: 'existing'; readonly podcast: Podcast }
  | {
      readonly kind: 'new';
      readonly slug: string;
      /** Undefined: derived from our own feed address when the podcast is made. */
      readonly guid: string | undefined;
    };

export interface FeedIdentity {
  /** podcast:guid, or derived from the feed's first address; undefined for a file without either. */
  readonly guid: string | undefined;
  readonly title: string | undefined;
  /** Every address it was met under. */
  readonly urls: readonly string[];
}

/**
 * Without a wish: the owner's podcast with that GUID, or the one imported from that address before;
 * else a new one, named after its title. With one: that, if it is the same podcast or none yet.
 */
export function choosePodcast(
  ctx: Context,
  owner: User,
  feed: FeedIdentity,
  wantedSlug: string | undefined,
): Promise<PodcastChoice> {
  return wantedSlug === undefined
    ? chooseByFeed(ctx, owner, feed)
    : chooseBySlug(ctx, owner, feed, wantedSlug);
}

/** The GUID that a feed has, or gets by the rule of the Podcasting 2.0 namespace. */
export function guidOf(feed: {
  readonly guid: string | undefined;
  readonly selfUrl: string | undefined;
  readonly url: string | undefined;
}): string | undefined {
  const firstAddress = feed.selfUrl ?? feed.url;
  return feed.guid ?? (firstAddress === undefined ? undefined : podcastGuid(firstAddress));
}

async function chooseByFeed(ctx: Context, owner: User, feed: FeedIdentity): Promise<PodcastChoice> {
  const known = await findImported(ctx, owner, feed);
  if (known !== undefined) return { kind: 'existing', podcast: known };
  const base = slugify(feed.title ?? '') ?? 'podcast';
  for (let number = 1; ; number += 1) {
    const slug = number === 1 ? base : disambiguateSlug(base, number);
    if (!(await isSlugTaken(ctx, slug))) return { kind: 'new', slug, guid: feed.guid };
    // A file without a GUID got its podcast one from the slug it took, whichever number that has.
    const own =
      feed.guid === undefined
        ? await findPodcastByGuid(ctx, owner.accountId, guidBySlug(ctx, slug))
        : undefined;
    if (own !== undefined) return { kind: 'existing', podcast: own };
  }
}

async function chooseBySlug(
  ctx: Context,
  owner: User,
  feed: FeedIdentity,
  slug: string,
): Promise<PodcastChoice> {
  if (!isSlug(slug)) throw invalid('slug', `${JSON.stringify(slug)} has not the form of a slug.`);
  const guid = feed.guid ?? guidBySlug(ctx, slug);
  const known = await findImported(ctx, owner, { ...feed, guid });
  const holder = await findCurrentSlug(ctx, slug);
  if (holder === undefined && known === undefined) return { kind: 'new', slug, guid: feed.guid };
  if (holder === undefined) {
    const message = `This account has the podcast already, as ${known?.slug}.`;
    throw refuseImport('podcast_exists', message, { field: 'slug' });
  }
  // Also under a slug that the podcast had before: a script that names it goes on working.
  if (holder.podcastId === known?.id) return { kind: 'existing', podcast: known };
  throw refuseImport('slug_taken', `The slug ${slug} is another podcast's.`, { field: 'slug' });
}

async function findImported(
  ctx: Context,
  owner: User,
  { guid, urls }: Pick<FeedIdentity, 'guid' | 'urls'>,
): Promise<Podcast | undefined> {
  const sameGuid = guid && (await findPodcastByGuid(ctx, owner.accountId, guid));
  if (sameGuid || urls.length === 0) return sameGuid || undefined;
  const id = await selectPodcastImportedFrom(ctx.db, owner.id, urls);
  const podcast = id === undefined ? undefined : await getPodcast(ctx, id);
  // It may have been handed over since.
  return podcast?.accountId === owner.accountId ? podcast : undefined;
}

/** What a podcast gets whose feed has no GUID, and no address before ours. */
export function guidBySlug(ctx: Context, slug: string): string {
  return podcastGuid(feedUrl(ctx.installation, slug));
}
