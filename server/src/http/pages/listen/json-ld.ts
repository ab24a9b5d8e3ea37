import {
  embedUrl,
  feedUrl,
  imageUrl,
  listenUrl,
  transcriptUrl,
} from '../../../domain/foundation/addresses.ts';
import type {
  PageCredit,
  PageEpisode,
  PublicCredit,
} from '../../../domain/public/catalogue/index.ts';
import type { Chapter } from '../../../domain/publishing/transcripts/index.ts';
import { tryNormalizeLink } from '../../../lib/html/link.ts';
import { summarize } from '../../../lib/summary.ts';
import { type Html, renderJsonScript } from '../../responses/html.ts';
import { isoDuration } from '../format.ts';
import { listenAudioUrl } from './episode-facts.ts';
import type { EpisodeView, Hosts, View } from './view.ts';

/** Search engines show a few of them, and a page may have 5,000 chapters and 200 people. */
const most = { clips: 100, people: 50 } as const;

/** schema.org's PodcastSeries. */
export function describeSeries({ hosts, show }: View): object {
  const url = listenUrl(hosts, show);
  const pages = [show.websiteUrl, ...show.listings.map((listing) => listing.url)];
  const sameAs = pages.filter((page) => page !== null && page !== url);
  return {
    '@context': 'https://schema.org',
    '@type': 'PodcastSeries',
    '@id': url,
    name: show.title,
    description: summarize(show) || show.title,
    url,
    webFeed: feedUrl(hosts, show),
    inLanguage: show.language,
    isFamilyFriendly: !show.explicit,
    ...(show.artwork && { image: imageUrl(hosts, show.artwork) }),
    ...(sameAs.length > 0 && { sameAs }),
    ...(show.category && { genre: show.subcategory ?? show.category }),
    ...(show.copyright && { copyrightNotice: show.copyright }),
    publisher: { '@type': 'Organization', name: show.author },
    ...describePeople(hosts, show.roster, show.author),
  };
}

/** schema.org's PodcastEpisode. */
export function episodeJsonLd(
  view: EpisodeView<PageEpisode>,
  chapters: readonly Chapter[] = [],
): object {
  const { hosts, show, episode, words } = view;
  const { audio, season } = episode;
  const image = episode.artwork ?? show.artwork;
  const [series, url] = [listenUrl(hosts, show), listenUrl(hosts, show, episode.slug)];
  const media = describeAudio(view);
  return {
    '@context': 'https://schema.org',
    '@type': 'PodcastEpisode',
    '@id': url,
    name: episode.title,
    description: summarize(episode) || episode.title,
    url,
    datePublished: episode.publishedAt.toISOString(),
    dateModified: episode.updatedAt.toISOString(),
    ...(episode.givenNumber !== null && { episodeNumber: episode.givenNumber }),
    inLanguage: show.language,
    isFamilyFriendly: !episode.explicit,
    ...(audio?.durationMs != null && { duration: isoDuration(audio.durationMs) }),
    ...(image && { image: imageUrl(hosts, image) }),
    ...(media && { associatedMedia: media, hasPart: describeClips(view, chapters) }),
    partOfSeries: { '@type': 'PodcastSeries', '@id': series, name: show.title, url: series },
    ...(season !== null && {
      partOfSeason: {
        '@type': 'PodcastSeason',
        seasonNumber: season,
        name: episode.seasonName ?? words.text('season', { number: season }),
      },
    }),
    publisher: { '@type': 'Organization', name: show.author },
    ...describePeople(hosts, episode.people, show.author),
  };
}

/** Undefined if there is none. */
function describeAudio({ hosts, episode }: EpisodeView): object | undefined {
  const { id, audio, transcriptLanguage, transcriptHasTimes } = episode;
  const contentUrl = listenAudioUrl(hosts, episode);
  if (contentUrl === undefined) return undefined;
  const transcript = transcriptUrl(hosts, id, transcriptHasTimes ? 'vtt' : 'html');
  return {
    '@type': 'AudioObject',
    contentUrl,
    encodingFormat: audio?.contentType,
    embedUrl: embedUrl(hosts, id),
    ...(audio?.sizeBytes != null && { contentSize: String(audio.sizeBytes) }),
    ...(audio?.durationMs != null && { duration: isoDuration(audio.durationMs) }),
    ...(transcriptLanguage !== null && {
      transcript,
      caption: {
        '@type': 'MediaObject',
        contentUrl: transcript,
        encodingFormat: transcriptHasTimes ? 'text/vtt' : 'text/html',
        inLanguage: transcriptLanguage,
      },
    }),
  };
}

/** The first visible chapters, each until the next one begins. */
function describeClips({ hosts, show, episode }: EpisodeView, chapters: readonly Chapter[]) {
  const page = listenUrl(hosts, show, episode.slug);
  const listed = chapters.filter(({ hidden, title }) => hidden !== true && title !== undefined);
  const clips = listed.slice(0, most.clips).map(({ startMs, endMs, title }, index) => {
    const end = endMs ?? listed[index + 1]?.startMs ?? episode.audio?.durationMs ?? undefined;
    return {
      '@type': 'Clip',
      name: title,
      startOffset: Math.floor(startMs / 1000),
      ...(end !== undefined && end > startMs && { endOffset: Math.ceil(end / 1000) }),
      url: `${page}#t=${Math.floor(startMs / 1000)}`,
    };
  });
  return clips.length === 0 ? undefined : clips;
}

/** A data block, which does not run. `<` and `&` are escaped for JSON, so that no text can end it. */
export function renderJsonLd(description: object): Html {
  return renderJsonScript('application/ld+json', description);
}

const isHost = ({ role }: PublicCredit) => /host$/.test(role);

/** The hosts are the authors; others contribute in their role. */
function describePeople(hosts: Hosts, people: readonly PageCredit[], author: string): object {
  const named = people.slice(0, most.people);
  const authors = named.filter(isHost).map((person) => describePerson(hosts, person));
  const contributor = named
    .filter((person) => !isHost(person))
    .map((person) => ({
      '@type': 'Role',
      roleName: person.role,
      contributor: describePerson(hosts, person),
    }));
  return {
    author: authors.length > 0 ? authors : [{ '@type': 'Person', name: author }],
    ...(contributor.length > 0 && { contributor }),
  };
}

function describePerson(hosts: Hosts, { name, photo, linkUrl }: PageCredit): object {
  const url = linkUrl === null ? undefined : tryNormalizeLink(linkUrl, ['http:', 'https:']);
  return {
    '@type': 'Person',
    name,
    ...(photo && { image: imageUrl(hosts, photo) }),
    ...(url !== undefined && { url }),
  };
}
