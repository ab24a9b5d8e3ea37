import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { episodeFields } from '../../../lib/fields/episode-fields.ts';
import type { FieldList } from '../../../lib/fields/field.ts';
import { podcastFields } from '../../../lib/fields/podcast-fields.ts';
import { chaptersUrl, feedUrl, imageUrl, listenUrl } from '../../foundation/addresses.ts';
import type { Context, Installation } from '../../foundation/context.ts';
import { imageBoxesPx } from '../../publishing/images/index.ts';
import {
  type ExtraElement,
  getPodcast,
  nextExpiryOf,
  unexpiredElements,
  writeTxtFields,
} from '../../publishing/podcasts/index.ts';
import { versionedCardUrl } from '../cards/index.ts';
import {
  type EpisodePosition,
  type FeedCredit,
  type FeedEpisode,
  type ImageRef,
  listFeedEpisodes,
  type PublicPodcast,
} from '../catalogue/index.ts';
import { describeEnclosure, describeTranscripts } from './describe-files.ts';
import {
  describeImages,
  hasSocialImage,
  itemBoxesPx,
  withoutOwnImages,
} from './describe-images.ts';
import type { FeedChannel, FeedItem, FeedPerson, FeedTrailer } from './feed.ts';
import { feedEnd, writeFeedStart } from './write-feed.ts';
import { writeItem } from './write-item.ts';

/** A page ends with the item that reaches either; nearly every show has less. */
const mostOnPage = { items: 5_000, bytes: 20 * 1024 * 1024 } as const;
const episodesAtOnce = 100;
/** Written in a few milliseconds. */
const charsAtOnce = 250_000;

/** A page of a feed (RFC 5005). */
export interface FeedPage {
  /** The last episode of the page before; undefined on the first page. */
  readonly after: EpisodePosition | undefined;
  /** The URL of the page after this position. */
  readonly urlAfter: (position: EpisodePosition | undefined) => string;
}

/**
 * One page of a show's RSS feed, as pieces of UTF-8. Other tasks run between the pieces, because a long
 * feed takes a second. `onGrowth` gets the bytes so far, and may make it wait.
 */
export async function buildFeed(
  ctx: Context,
  show: PublicPodcast,
  { after, urlAfter }: FeedPage,
  onGrowth: (bytes: number) => Promise<void> = async () => undefined,
): Promise<readonly Buffer[]> {
  const pieces: Buffer[] = [];
  const summary = summarize(show);
  let [items, bytes] = [0, 0];
  let next: EpisodePosition | undefined;
  for await (const part of writeItems(ctx, show, after)) {
    summary.add(part.described);
    pieces.push(part.piece);
    items += part.described.length;
    bytes += part.piece.length;
    await onGrowth(bytes);
    next = part.next;
    if (items >= mostOnPage.items || bytes >= mostOnPage.bytes) break;
  }
  const first = urlAfter(undefined);
  const isOnly = after === undefined && next === undefined;
  const start = await readStart(ctx, show, summary, {
    selfUrl: urlAfter(after),
    // A later page is not a topic to subscribe to.
    ...(after === undefined ? { hubUrls: hubsInUse(ctx.installation) } : {}),
    ...(isOnly ? {} : { paging: { first, next: next && urlAfter(next) } }),
  });
  return [start, ...pieces, Buffer.from(feedEnd)];
}

/**
 * The whole feed without pages, of any length, for a reader who may be slow: only a part of it is in
 * memory, and nothing is held while it is sent. It is read twice, because the channel comes first and
 * depends on all items.
 */
export async function* streamFeed(ctx: Context, show: PublicPodcast): AsyncGenerator<Buffer> {
  const summary = summarize(show);
  for await (const { described } of describeItems(ctx, show)) summary.add(described);
  yield await readStart(ctx, show, summary, wholeFeed(ctx.installation, show));
  for await (const { piece } of writeItems(ctx, show)) yield piece;
  yield Buffer.from(feedEnd);
}

/** A feed, briefly. */
export interface FeedDigest {
  /**
   * A hash of all pages, without the time of its last change: that is also moved by changes that the
   * feed doesn't show. The ETag of a response has this time in it, and covers one page.
   */
  readonly digest: Buffer;
  /** When the next element leaves the feed; null: none does. */
  readonly nextExpiryAt: Date | null;
}

export async function digestFeed(ctx: Context, show: PublicPodcast): Promise<FeedDigest> {
  const hash = createHash('sha256');
  const summary = summarize(show);
  for await (const { described, piece } of writeItems(ctx, show)) {
    summary.add(described);
    hash.update(piece);
  }
  const { extraElements } = await getPodcast(ctx, show.id);
  const links = wholeFeed(ctx.installation, show);
  hash.update(writeStart(ctx, show, summary, { extraElements, links, changedAt: new Date(0) }));
  return { digest: hash.digest(), nextExpiryAt: nextExpiryOf(extraElements, ctx.clock.now()) };
}

type FeedLinks = Pick<FeedChannel, 'selfUrl' | 'hubUrls' | 'paging'>;

function wholeFeed(hosts: Installation, show: PublicPodcast): FeedLinks {
  return { selfUrl: feedUrl(hosts, show), hubUrls: hubsInUse(hosts) };
}

/** The hubs at which the feed can be subscribed to. */
export const hubsInUse = ({ feedNotifications: { ownHub, externalHubs } }: Installation) => [
  ...(ownHub === undefined ? [] : [ownHub.url]),
  ...externalHubs,
];

async function readStart(
  ctx: Context,
  show: PublicPodcast,
  summary: Summary,
  links: FeedLinks,
): Promise<Buffer> {
  const { extraElements } = await getPodcast(ctx, show.id);
  return writeStart(ctx, show, summary, { extraElements, links });
}

function writeStart(
  { installation, clock }: Context,
  show: PublicPodcast,
  summary: Summary,
  {
    extraElements,
    links,
    changedAt,
  }: {
    readonly extraElements: readonly ExtraElement[];
    readonly links: FeedLinks;
    readonly changedAt?: Date;
  },
): Buffer {
  const described = describeChannel(installation, show, summary);
  const { elements, lastExpiryMs } = withoutExpired(extraElements, clock.now());
  const start = writeFeedStart({
    ...described,
    lastBuildAt: changedAt ?? new Date(Math.max(+described.lastBuildAt, lastExpiryMs)),
    cardUrl: hasSocialImage(elements) ? undefined : versionedCardUrl(installation, show),
    extraElements: writeExtras(podcastFields, show, elements),
    ...links,
  });
  return Buffer.from(start);
}

/** The elements of a show's feed at a time, and when the last of the others left it (0: none did). */
function withoutExpired(all: readonly ExtraElement[], now: Date) {
  const elements = unexpiredElements(all, now);
  const left = all.filter((element) => !elements.includes(element));
  const lastExpiryMs = Math.max(0, ...left.map(({ expiresAt = '' }) => Date.parse(expiresAt)));
  return { elements, lastExpiryMs };
}

/** The elements that the feed does not write from other data. */
function writeExtras(
  list: FieldList,
  described: { readonly artwork: ImageRef | null },
  elements: readonly ExtraElement[],
): readonly ExtraElement[] {
  return withoutOwnImages(writeTxtFields(list, described, elements), described.artwork);
}

interface Described {
  readonly episode: FeedEpisode;
  /** Undefined: it has no URL that may be published. */
  readonly item: FeedItem | undefined;
}

interface DescribedPart {
  readonly described: readonly Described[];
  /** Where the next part begins; undefined after the last one. */
  readonly next: EpisodePosition | undefined;
}

/**
 * Reads the items after a position. Each part starts after the last episode of the one before, so a
 * publication in the meantime does not shift episodes.
 */
async function* describeItems(
  ctx: Context,
  show: PublicPodcast,
  position?: EpisodePosition,
): AsyncGenerator<DescribedPart> {
  const hosts = ctx.installation;
  const roster = show.roster.map((person) => describePerson(hosts, person));
  let next = position;
  do {
    const page = await listFeedEpisodes(ctx, show, { after: next, limit: episodesAtOnce });
    next = page.next;
    const described = page.items.map((episode) => {
      return { episode, item: describeItem(hosts, show, roster, episode) };
    });
    yield { described, next };
    // The embedded database may resolve within the same turn.
    await setImmediate();
  } while (next !== undefined);
}

/**
 * Writes these items in pieces that take a few milliseconds. How episodes are divided depends only on
 * them: every process ends a page at the same item.
 */
async function* writeItems(
  ctx: Context,
  show: PublicPodcast,
  position?: EpisodePosition,
): AsyncGenerator<DescribedPart & { readonly piece: Buffer }> {
  for await (const { described, next } of describeItems(ctx, show, position)) {
    let text = '';
    let written: Described[] = [];
    for (const [index, one] of described.entries()) {
      if (one.item !== undefined) text += writeItem(one.item);
      written.push(one);
      const isLast = index === described.length - 1;
      if (!isLast && text.length < charsAtOnce) continue;
      const end = isLast ? next : positionOf(one.episode);
      yield { piece: Buffer.from(text), described: written, next: end };
      [text, written] = ['', []];
      if (!isLast) await setImmediate();
    }
  }
}

const positionOf = ({ publishedAt, id }: FeedEpisode): EpisodePosition => ({ publishedAt, id });

/** More are only items. */
const mostTrailers = 500;

/** What the channel derives from items. It depends only on them, so every process computes the same ETag. */
interface Summary {
  readonly trailers: readonly FeedTrailer[];
  readonly changedAtMs: number;
  add(described: readonly Described[]): void;
}

function summarize(show: PublicPodcast): Summary {
  const trailers: FeedTrailer[] = [];
  let changedAtMs = +show.updatedAt;
  return {
    trailers,
    get changedAtMs() {
      return changedAtMs;
    },
    add(described) {
      for (const { episode, item } of described) {
        changedAtMs = Math.max(changedAtMs, +episode.updatedAt, +episode.publishedAt);
        if (item?.episodeType !== 'trailer' || trailers.length >= mostTrailers) continue;
        const { title, publishedAt, season, enclosure } = item;
        trailers.push({ ...enclosure, title, publishedAt, season });
      }
    },
  };
}

function describeChannel(
  hosts: Installation,
  show: PublicPodcast,
  { trailers, changedAtMs }: Summary,
): Omit<FeedChannel, 'extraElements' | 'cardUrl' | keyof FeedLinks> {
  const { ownerEmail: email } = show;
  return {
    title: show.title,
    subtitle: show.subtitle ?? undefined,
    description: show.description,
    linkUrl: show.websiteUrl ?? listenUrl(hosts, show),
    language: show.language,
    author: show.author,
    guid: show.guid,
    explicit: show.explicit,
    showType: show.showType,
    categories: describeCategories(show),
    lastBuildAt: new Date(changedAtMs),
    locked: show.feedLocked,
    lockedOwner: email ?? undefined,
    imageUrl: address(hosts, show.artwork),
    images: describeImages(hosts, show.artwork, imageBoxesPx),
    copyright: show.copyright ?? undefined,
    owner: email === null ? undefined : { email, name: show.ownerName ?? show.author },
    funding: describeFunding(show),
    medium: show.medium,
    complete: show.complete,
    itunesBlock: show.itunesBlock,
    usesPodping: hosts.feedNotifications.podping !== undefined,
    people: show.roster.map((person) => describePerson(hosts, person)),
    trailers,
    newFeedUrl: show.newFeedUrl ?? (show.confirmMove ? feedUrl(hosts, show) : undefined),
  };
}

function describeCategories(show: PublicPodcast): FeedChannel['categories'] {
  const { category, subcategory, otherCategories } = show;
  const first = category === null ? [] : [{ category, subcategory }];
  const all = [...first, ...otherCategories];
  return all.map((each) => ({ ...each, subcategory: each.subcategory ?? undefined }));
}

function describeFunding(show: PublicPodcast): FeedChannel['funding'] {
  const { fundingUrl: url, fundingText: text, otherFunding } = show;
  const first = url === null ? [] : [{ url, text }];
  const all = [...first, ...otherFunding];
  return all.map((each) => ({ ...each, text: each.text ?? undefined }));
}

function describeItem(
  hosts: Installation,
  show: PublicPodcast,
  roster: readonly FeedPerson[],
  episode: FeedEpisode,
): FeedItem | undefined {
  const enclosure = describeEnclosure(hosts, show, episode);
  if (enclosure === undefined) return undefined;
  const { durationMs } = episode.audio ?? {};
  return {
    guid: episode.guid,
    guidIsPermalink: episode.guidIsPermalink,
    title: episode.title,
    itunesTitle: episode.itunesTitle ?? undefined,
    publishedAt: episode.publishedAt,
    linkUrl: episode.linkUrl ?? listenUrl(hosts, show, episode.slug),
    enclosure,
    durationSeconds: durationMs == null ? undefined : Math.round(durationMs / 1000),
    season: episode.season ?? undefined,
    seasonName: episode.seasonName ?? undefined,
    episode: episode.givenNumber ?? undefined,
    episodeDisplay: episode.episodeDisplay ?? undefined,
    episodeType: episode.episodeType,
    explicit: episode.explicit,
    itunesBlock: episode.itunesBlock,
    description: episode.description,
    contentHtml: episode.showNotesHtml ?? undefined,
    subtitle: episode.subtitle ?? undefined,
    imageUrl: address(hosts, episode.artwork),
    images: describeImages(hosts, episode.artwork, itemBoxesPx),
    cardUrl: hasSocialImage(episode.extraElements)
      ? undefined
      : versionedCardUrl(hosts, show, episode),
    people:
      episode.people === show.roster
        ? roster
        : episode.people.map((person) => describePerson(hosts, person)),
    transcripts: describeTranscripts(hosts, episode),
    chapters: episode.chapters ?? [],
    chaptersUrl: episode.hasChapters ? chaptersUrl(hosts, episode.id) : undefined,
    extraElements: writeExtras(episodeFields, episode, episode.extraElements),
  };
}

function describePerson(hosts: Installation, person: FeedCredit): FeedPerson {
  return {
    name: person.name,
    role: person.role,
    group: person.group,
    imageUrl: address(hosts, person.photo),
    linkUrl: person.linkUrl ?? undefined,
  };
}

const address = (hosts: Installation, image: ImageRef | null): string | undefined =>
  image === null ? undefined : imageUrl(hosts, image);
