import {
  chaptersUrl,
  feedUrl,
  imageUrl,
  listenUrl,
  mediaMarkers,
  mediaUrl,
  transcriptUrl,
} from '../addresses.ts';
import {
  type ImageRef,
  listFeedEpisodes,
  type PublicCredit,
  type PublicEpisode,
  type Show,
} from '../catalogue/index.ts';
import type { Context, Installation } from '../context.ts';
import type { FeedChannel, FeedEnclosure, FeedItem, FeedPerson } from './feed.ts';
import { writeFeed } from './write-feed.ts';

/** More than nearly every show has; what is older stands on further pages (RFC 5005). */
const itemsPerPage = 5_000;

/** One page of a show's RSS feed, as it stands now; undefined past the last one. */
export async function buildFeed(
  ctx: Context,
  show: Show,
  pageNumber: number,
): Promise<string | undefined> {
  const rows = await listFeedEpisodes(ctx, show, { number: pageNumber, size: itemsPerPage + 1 });
  if (rows.length === 0 && pageNumber > 1) return undefined;
  const hosts = ctx.installation;
  const page = rows.slice(0, itemsPerPage);
  const items = page.flatMap((episode) => describeItem(hosts, show, episode) ?? []);
  const channel = describeChannel(hosts, show, items, lastChange(show, page));
  const address = (page: number) => feedUrl(hosts, show.slug, page);
  const paged = pageNumber > 1 || rows.length > itemsPerPage;
  return writeFeed(
    {
      ...channel,
      selfUrl: address(pageNumber),
      ...(paged && {
        paging: {
          first: address(1),
          previous: pageNumber > 1 ? address(pageNumber - 1) : undefined,
          next: rows.length > itemsPerPage ? address(pageNumber + 1) : undefined,
        },
      }),
    },
    items,
  );
}

function describeChannel(
  hosts: Installation,
  show: Show,
  items: readonly FeedItem[],
  lastBuildAt: Date,
): FeedChannel {
  const { ownerEmail: email } = show;
  return {
    title: show.title,
    description: show.description,
    linkUrl: show.websiteUrl ?? listenUrl(hosts, show.slug),
    selfUrl: feedUrl(hosts, show.slug),
    language: show.language,
    author: show.author,
    guid: show.guid,
    explicit: show.explicit,
    showType: show.showType,
    categories:
      show.category === null
        ? []
        : [{ category: show.category, subcategory: show.subcategory ?? undefined }],
    lastBuildAt,
    locked: show.feedLocked,
    lockedOwner: email ?? undefined,
    imageUrl: address(hosts, show.artwork),
    copyright: show.copyright ?? undefined,
    owner: email === null ? undefined : { email, name: show.ownerName ?? show.author },
    funding:
      show.fundingUrl === null
        ? undefined
        : { url: show.fundingUrl, text: show.fundingText ?? undefined },
    people: show.roster.map((person) => describePerson(hosts, person)),
    trailers: items
      .filter((item) => item.episodeType === 'trailer')
      .map(({ title, publishedAt, season, enclosure }) => ({
        ...enclosure,
        title,
        publishedAt,
        season,
      })),
    newFeedUrl: show.newFeedUrl ?? undefined,
    // Podping needs an account at a Hive node; until there is one, saying yes would be untrue.
    usesPodping: false,
  };
}

function describeItem(
  hosts: Installation,
  show: Show,
  episode: PublicEpisode,
): FeedItem | undefined {
  const enclosure = describeEnclosure(hosts, episode);
  if (enclosure === undefined) return undefined;
  const { durationMs } = episode.audio ?? {};
  const { transcriptLanguage: language } = episode;
  return {
    guid: episode.guid,
    title: episode.title,
    publishedAt: episode.publishedAt,
    linkUrl: episode.linkUrl ?? listenUrl(hosts, show.slug, episode.slug),
    enclosure,
    durationSeconds: durationMs == null ? undefined : Math.round(durationMs / 1000),
    season: episode.season ?? undefined,
    episode: episode.episodeNumber,
    episodeType: episode.episodeType,
    explicit: episode.explicit,
    description: episode.description,
    contentHtml: episode.showNotesHtml ?? undefined,
    subtitle: episode.subtitle ?? undefined,
    imageUrl: address(hosts, episode.artwork),
    people: episode.people.map((person) => describePerson(hosts, person)),
    transcripts:
      language === null
        ? []
        : [
            { url: transcriptUrl(hosts, episode.id, 'vtt'), type: 'text/vtt', language },
            {
              url: transcriptUrl(hosts, episode.id, 'srt'),
              type: 'application/x-subrip',
              language,
              rel: 'captions',
            },
            { url: transcriptUrl(hosts, episode.id, 'json'), type: 'application/json', language },
          ],
    chaptersUrl: episode.hasChapters ? chaptersUrl(hosts, episode.id) : undefined,
  };
}

/** Our address under the feed's marker; none where the only address there is is a secret. */
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

function describePerson(hosts: Installation, person: PublicCredit): FeedPerson {
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

/** From what is shown alone: every process says the same, and so gives the same ETag. */
function lastChange(show: Show, episodes: readonly PublicEpisode[]): Date {
  const times = episodes.flatMap(({ updatedAt, publishedAt }) => [+updatedAt, +publishedAt]);
  return new Date(times.reduce((latest, time) => Math.max(latest, time), +show.updatedAt));
}
