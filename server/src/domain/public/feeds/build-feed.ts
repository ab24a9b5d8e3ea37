import { setImmediate } from 'node:timers/promises';
import { episodeFields } from '../../../lib/fields/episode-fields.ts';
import { podcastFields } from '../../../lib/fields/podcast-fields.ts';
import {
  chaptersUrl,
  feedUrl,
  imageUrl,
  listenUrl,
  mediaMarkers,
  mediaUrl,
  transcriptFormats,
  transcriptUrl,
} from '../../foundation/addresses.ts';
import type { Context, Installation } from '../../foundation/context.ts';
import { getPodcast, writeTxtFields } from '../../publishing/podcasts/index.ts';
import {
  countEpisodes,
  type FeedCredit,
  type FeedEpisode,
  type ImageRef,
  listFeedEpisodes,
  type PublicEpisode,
  type PublicPodcast,
} from '../catalogue/index.ts';
import type {
  FeedChannel,
  FeedEnclosure,
  FeedItem,
  FeedPerson,
  FeedTrailer,
  FeedTranscript,
} from './feed.ts';
import { firstPartSize, nextPartSize } from './part-size.ts';
import { feedEnd, writeFeedStart } from './write-feed.ts';
import { writeItem } from './write-item.ts';

/** More than most shows have; older episodes are on further pages (RFC 5005). */
const itemsPerPage = 5_000;

/**
 * One page of a show's RSS feed, as pieces of UTF-8; undefined past the last page. Other tasks run
 * between the pieces, because a long feed takes a second. `onGrowth` gets the bytes so far, and may
 * make it wait.
 */
export async function buildFeed(
  ctx: Context,
  show: PublicPodcast,
  pageNumber: number,
  onGrowth: (bytes: number) => Promise<void> = async () => undefined,
): Promise<readonly Buffer[] | undefined> {
  // Counting is quick; finding the end of a show by its offset passes over all of its rows.
  const before = (pageNumber - 1) * itemsPerPage;
  if (before > 0 && before >= (await countEpisodes(ctx, show))) return undefined;
  const hosts = ctx.installation;
  const summary: Summary = { trailers: [], changedAtMs: +show.updatedAt };
  const pieces: Buffer[] = [];
  let [count, bytes] = [0, 0];
  let last: FeedEpisode | undefined;
  let size = firstPartSize;
  const parts = readPage(ctx, show, pageNumber, () => size);
  for await (const episodes of parts) {
    const items = episodes.flatMap((episode) => describeItem(hosts, show, episode) ?? []);
    addToSummary(summary, episodes, items);
    const piece = Buffer.from(items.map(writeItem).join(''));
    pieces.push(piece);
    size = nextPartSize(episodes.length, piece.length);
    count += episodes.length;
    last = episodes.at(-1);
    bytes += piece.length;
    await onGrowth(bytes);
    // The embedded database may resolve within the same turn.
    await setImmediate();
  }
  if (count === 0 && pageNumber > 1) return undefined;
  const next = { after: last, offset: 0, limit: 1 };
  const hasMore = count >= itemsPerPage && (await listFeedEpisodes(ctx, show, next)).length > 0;
  const { extraElements } = await getPodcast(ctx, show.id);
  const start = writeFeedStart({
    ...describeChannel(hosts, show, summary),
    extraElements: writeTxtFields(podcastFields, show, extraElements),
    selfUrl: feedUrl(hosts, show.slug, pageNumber),
    ...describePaging(hosts, show, pageNumber, hasMore),
  });
  return [Buffer.from(start), ...pieces, Buffer.from(feedEnd)];
}

/** What the channel derives from all items of a page. */
interface Summary {
  readonly trailers: FeedTrailer[];
  changedAtMs: number;
}

/** Depends only on the content, so every process computes the same ETag. */
function addToSummary(
  summary: Summary,
  episodes: readonly PublicEpisode[],
  items: readonly FeedItem[],
): void {
  for (const { updatedAt, publishedAt } of episodes) {
    summary.changedAtMs = Math.max(summary.changedAtMs, +updatedAt, +publishedAt);
  }
  for (const { title, publishedAt, season, enclosure, episodeType } of items) {
    if (episodeType !== 'trailer') continue;
    summary.trailers.push({ ...enclosure, title, publishedAt, season });
  }
}

/** Each part starts after the previous one, so a publication meanwhile does not shift episodes. */
async function* readPage(
  ctx: Context,
  show: PublicPodcast,
  pageNumber: number,
  partSize: () => number,
): AsyncGenerator<readonly FeedEpisode[]> {
  let after: FeedEpisode | undefined;
  let offset = (pageNumber - 1) * itemsPerPage;
  for (let left = itemsPerPage; left > 0; ) {
    const limit = Math.min(partSize(), left);
    const episodes = await listFeedEpisodes(ctx, show, { after, offset, limit });
    if (episodes.length > 0) yield episodes;
    if (episodes.length < limit) return;
    after = episodes.at(-1);
    offset = 0;
    left -= episodes.length;
  }
}

function describePaging(
  hosts: Installation,
  show: PublicPodcast,
  pageNumber: number,
  hasMore: boolean,
): Pick<FeedChannel, 'paging'> {
  if (pageNumber === 1 && !hasMore) return {};
  const address = (page: number) => feedUrl(hosts, show.slug, page);
  const previous = pageNumber > 1 ? address(pageNumber - 1) : undefined;
  const next = hasMore ? address(pageNumber + 1) : undefined;
  return { paging: { first: address(1), previous, next } };
}

function describeChannel(
  hosts: Installation,
  show: PublicPodcast,
  { trailers, changedAtMs }: Summary,
): Omit<FeedChannel, 'extraElements'> {
  const { ownerEmail: email } = show;
  return {
    title: show.title,
    subtitle: show.subtitle ?? undefined,
    description: show.description,
    linkUrl: show.websiteUrl ?? listenUrl(hosts, show.slug),
    selfUrl: feedUrl(hosts, show.slug),
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
    copyright: show.copyright ?? undefined,
    owner: email === null ? undefined : { email, name: show.ownerName ?? show.author },
    funding: describeFunding(show),
    medium: show.medium,
    complete: show.complete,
    itunesBlock: show.itunesBlock,
    people: show.roster.map((person) => describePerson(hosts, person)),
    trailers,
    newFeedUrl: show.newFeedUrl ?? undefined,
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
  episode: FeedEpisode,
): FeedItem | undefined {
  const enclosure = describeEnclosure(hosts, episode);
  if (enclosure === undefined) return undefined;
  const { durationMs } = episode.audio ?? {};
  return {
    guid: episode.guid,
    guidIsPermalink: episode.guidIsPermalink,
    title: episode.title,
    itunesTitle: episode.itunesTitle ?? undefined,
    publishedAt: episode.publishedAt,
    linkUrl: episode.linkUrl ?? listenUrl(hosts, show.slug, episode.slug),
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
    people: episode.people.map((person) => describePerson(hosts, person)),
    transcripts: describeTranscripts(hosts, episode),
    chaptersUrl: episode.hasChapters ? chaptersUrl(hosts, episode.id) : undefined,
    extraElements: writeTxtFields(episodeFields, episode, episode.extraElements),
  };
}

/** The first language, then the others. */
function describeTranscripts(hosts: Installation, episode: FeedEpisode): FeedTranscript[] {
  const { id, transcriptLanguage: first, transcriptHasTimes, furtherTranscripts } = episode;
  if (first === null) return [];
  const formsIn = (language: string, hasTimes: boolean, further?: string): FeedTranscript[] =>
    transcriptFormats(hasTimes).map((format) => {
      const url = transcriptUrl(hosts, id, format, further);
      return { url, language, ...transcriptTypes[format] };
    });
  const further = furtherTranscripts ?? [];
  return [
    ...formsIn(first, transcriptHasTimes),
    ...further.flatMap(({ language, hasTimes }) => formsIn(language, hasTimes, language)),
  ];
}

const transcriptTypes = {
  vtt: { type: 'text/vtt' },
  srt: { type: 'application/x-subrip', rel: 'captions' },
  json: { type: 'application/json' },
  html: { type: 'text/html' },
} as const;

/** Our URL with the feed's marker; undefined if the only URL contains a secret. */
function describeEnclosure(
  hosts: Installation,
  { id: episodeId, audio }: PublicEpisode,
): FeedEnclosure | undefined {
  if (audio?.fileName == null) return undefined;
  return {
    url: mediaUrl(hosts, { episodeId, fileName: audio.fileName }, mediaMarkers.feed),
    lengthBytes: audio.sizeBytes ?? undefined,
    type: audio.contentType,
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
