import { feedUrl, imageUrl, listenUrl } from '../../../domain/foundation/addresses.ts';
import type { PublicCredit } from '../../../domain/public/catalogue/index.ts';
import { type Html, renderJsonScript } from '../../responses/html.ts';
import { isoDuration } from '../format.ts';
import { listenAudioUrl } from './episode-facts.ts';
import type { EpisodeView, View } from './view.ts';

/** schema.org's PodcastSeries. */
export function describeSeries({ hosts, show }: View): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'PodcastSeries',
    '@id': listenUrl(hosts, show),
    name: show.title,
    description: show.description,
    url: listenUrl(hosts, show),
    webFeed: feedUrl(hosts, show),
    inLanguage: show.language,
    isFamilyFriendly: !show.explicit,
    ...(show.artwork && { image: imageUrl(hosts, show.artwork) }),
    ...(show.websiteUrl && { sameAs: show.websiteUrl }),
    ...(show.category && { genre: show.subcategory ?? show.category }),
    author: authors(show.roster, show.author),
  };
}

/** schema.org's PodcastEpisode. */
export function episodeJsonLd({ hosts, show, episode, words }: EpisodeView): object {
  const { audio, season } = episode;
  const image = episode.artwork ?? show.artwork;
  const series = listenUrl(hosts, show);
  const duration = audio?.durationMs == null ? {} : { duration: isoDuration(audio.durationMs) };
  const contentUrl = listenAudioUrl(hosts, episode);
  return {
    '@context': 'https://schema.org',
    '@type': 'PodcastEpisode',
    '@id': listenUrl(hosts, show, episode.slug),
    name: episode.title,
    description: episode.description,
    url: listenUrl(hosts, show, episode.slug),
    datePublished: episode.publishedAt.toISOString(),
    ...(episode.givenNumber !== null && { episodeNumber: episode.givenNumber }),
    inLanguage: show.language,
    isFamilyFriendly: !episode.explicit,
    ...duration,
    ...(image && { image: imageUrl(hosts, image) }),
    ...(contentUrl && {
      associatedMedia: {
        '@type': 'AudioObject',
        contentUrl,
        encodingFormat: audio?.contentType,
        ...(audio?.sizeBytes != null && { contentSize: String(audio.sizeBytes) }),
        ...duration,
      },
    }),
    partOfSeries: { '@type': 'PodcastSeries', '@id': series, name: show.title, url: series },
    ...(season !== null && {
      partOfSeason: {
        '@type': 'PodcastSeason',
        seasonNumber: season,
        name: words.text('season', { number: season }),
      },
    }),
    author: authors(episode.people, show.author),
  };
}

/**
 * A data block, which does not run. `<` and `&` are escaped for JSON, so that no text can end it.
 */
export function renderJsonLd(description: object): Html {
  return renderJsonScript('application/ld+json', description);
}

function authors(people: readonly PublicCredit[], author: string): object[] {
  const hosts = people.filter((person) => /host$/.test(person.role)).map((person) => person.name);
  const names = hosts.length > 0 ? hosts : [author];
  return names.map((name) => ({ '@type': 'Person', name }));
}
