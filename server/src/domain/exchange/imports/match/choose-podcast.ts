import { disambiguateSlug, isSlug, proposeSlugs, slugify } from '../../../../lib/slug.ts';
import { podcastGuid } from '../../../../lib/uuid.ts';
import type { User } from '../../../foundation/accounts/index.ts';
import { feedUrl } from '../../../foundation/addresses.ts';
import type { Context } from '../../../foundation/context.ts';
import { invalid, noFreeSlug } from '../../../foundation/errors.ts';
import { findCurrentSlug } from '../../../public/catalogue/index.ts';
import {
  findPodcastByGuid,
  getPodcast,
  isSlugTaken,
  listSlugsOfAccount,
  type Podcast,
} from '../../../publishing/podcasts/index.ts';
import type { ImportTarget } from '../import.ts';
import { selectPodcastImportedFrom } from '../imports.sql.ts';
import type { FetchedFeed } from '../read/fetch-feed.ts';
import { refuseImport } from '../refuse-import.ts';

/** The podcast that a feed is imported into. */
export type PodcastChoice =
  | { readonly kind: 'existing'; readonly podcast: Podcast }
  | {
      readonly kind: 'new';
      readonly slug: string;
      /** Undefined: derived from our own feed URL when the podcast is created. */
      readonly guid: string | undefined;
    };

interface FeedIdentity {
  /** podcast:guid, or derived from the feed's first URL; undefined for a file without either. */
  readonly guid: string | undefined;
  readonly title: string | undefined;
  /** All URLs under which the feed was found. */
  readonly urls: readonly string[];
}

/**
 * Without a request: the owner's podcast with that GUID, or the one previously imported from that
 * URL; else a new one, named after its title. With a request: that podcast, if it is the same one
 * or does not exist yet.
 */
export function choosePodcast(
  ctx: Context,
  owner: User,
  fetched: FetchedFeed,
  { slug, into }: ImportTarget,
): Promise<PodcastChoice> {
  if (into !== undefined) return chooseShow(ctx, owner, into);
  const feed = identityOf(fetched);
  return slug === undefined ? chooseByFeed(ctx, owner, feed) : chooseBySlug(ctx, owner, feed, slug);
}

/** Whatever the feed says; also by a former slug. */
async function chooseShow(ctx: Context, owner: User, slug: string): Promise<PodcastChoice> {
  const holder = isSlug(slug) ? await findCurrentSlug(ctx, slug) : undefined;
  const podcast = holder && (await getPodcast(ctx, holder.podcastId));
  if (podcast?.accountId === owner.accountId) return { kind: 'existing', podcast };
  const message = `This account has no show ${JSON.stringify(slug)}.`;
  throw refuseImport('show_unknown', message, { field: 'into' });
}

/** A feed without a GUID gets one by the rule of the Podcasting 2.0 namespace. */
function identityOf({ channel, url, urls }: FetchedFeed): FeedIdentity {
  const { guid, selfUrl, title } = channel;
  const firstUrl = selfUrl ?? (url && urls[0]);
  return { guid: guid ?? (firstUrl && podcastGuid(firstUrl)), title, urls };
}

async function chooseByFeed(ctx: Context, owner: User, feed: FeedIdentity): Promise<PodcastChoice> {
  const known = await findImported(ctx, owner, feed);
  if (known !== undefined) return { kind: 'existing', podcast: known };
  const base = slugify(feed.title ?? '') ?? 'podcast';
  const own = feed.guid === undefined ? await findNumbered(ctx, owner, base) : undefined;
  if (own !== undefined) return { kind: 'existing', podcast: own };
  for (const slug of proposeSlugs(base)) {
    if (!(await isSlugTaken(ctx, slug))) return { kind: 'new', slug, guid: feed.guid };
  }
  throw noFreeSlug();
}

/** Much less than a slug may have, so that a number never changes it. */
const stemChars = 40;

/**
 * The podcast of an earlier file with this title: without a GUID, it got one derived from its slug, with
 * or without a number. Thousands of shows may have the same title, so not each number is looked up.
 */
async function findNumbered(
  ctx: Context,
  { accountId }: User,
  base: string,
): Promise<Podcast | undefined> {
  const slugs = await listSlugsOfAccount(ctx, accountId, base.slice(0, stemChars));
  const known = slugs.flatMap(({ slug, podcastId, guid }) => {
    const number = slug === base ? 1 : Number(/-(\d{1,6})$/.exec(slug)?.[1]);
    const isNumbered = number === 1 || disambiguateSlug(base, number) === slug;
    return isNumbered && guid === guidBySlug(ctx, slug) ? [{ number, podcastId }] : [];
  });
  const [first] = known.toSorted((a, b) => a.number - b.number);
  return first && getPodcast(ctx, first.podcastId);
}

async function chooseBySlug(
  ctx: Context,
  owner: User,
  feed: FeedIdentity,
  slug: string,
): Promise<PodcastChoice> {
  if (!isSlug(slug)) throw invalid('slug', `${JSON.stringify(slug)} is not a valid slug.`);
  const guid = feed.guid ?? guidBySlug(ctx, slug);
  const known = await findImported(ctx, owner, { ...feed, guid });
  const holder = await findCurrentSlug(ctx, slug);
  if (holder === undefined && known === undefined) return { kind: 'new', slug, guid: feed.guid };
  if (holder === undefined) {
    const message = `This account already has the podcast as ${known?.slug}. Import it into that one.`;
    throw refuseImport('podcast_exists', message, { field: 'slug' });
  }
  // Also by a former slug, so that scripts keep working.
  if (holder.podcastId === known?.id) return { kind: 'existing', podcast: known };
  throw refuseImport(
    'slug_taken',
    `The slug ${slug} belongs to another podcast. Choose another one.`,
    { field: 'slug' },
  );
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
  // The podcast may have been transferred since.
  return podcast?.accountId === owner.accountId ? podcast : undefined;
}

/** For a podcast whose feed has neither a GUID nor an earlier URL. */
export function guidBySlug(ctx: Context, slug: string): string {
  return podcastGuid(feedUrl(ctx.installation, { slug, domain: null }));
}
