import type { Static } from 'typebox';
import type { SiteEpisode } from '../../domain/exchange/sites/index.ts';
import {
  chaptersUrl,
  embedUrl,
  feedUrl,
  imageUrl,
  listenUrl,
  mediaUrl,
  transcriptFormats,
  transcriptUrl,
  waveformUrl,
} from '../../domain/foundation/addresses.ts';
import type { Installation } from '../../domain/foundation/context.ts';
import type {
  ImageRef,
  ListedEpisode,
  PublicEpisodeDetail,
  PublicPodcast,
} from '../../domain/public/catalogue/index.ts';
import type { PublicAudio } from '../../domain/publishing/episodes/index.ts';
import { playerColor } from '../pages/color.ts';
import type * as schemas from './public-schemas.ts';

/** Converts the domain's types to the wire's shapes and names; only this file knows those names. */

export const noAudio = { url: null, content_type: null, duration_seconds: null, size_bytes: null };

export function presentPodcast(
  hosts: Installation,
  show: PublicPodcast,
  episodeCount: number,
): Static<typeof schemas.PublicPodcast> {
  return {
    id: show.id,
    slug: show.slug,
    guid: show.guid,
    title: show.title,
    subtitle: show.subtitle,
    author: show.author,
    description: show.description,
    language: show.language,
    category: show.category,
    subcategory: show.subcategory,
    explicit: show.explicit,
    artwork: presentArtwork(hosts, show.artwork),
    brand_color: show.brandColor,
    player_color: show.playerColor,
    color: playerColor(show),
    player_theme: show.playerTheme,
    player_waveform: show.playerWaveform,
    website_url: show.websiteUrl,
    timezone: show.timezone,
    episode_count: episodeCount,
    links: { listen: listenUrl(hosts, show), feed: feedUrl(hosts, show) },
    branding: { show_powered_by: show.showPoweredBy },
  };
}

export function presentEpisode(
  hosts: Installation,
  show: PublicPodcast,
  episode: ListedEpisode,
): Static<typeof schemas.PublicEpisode> {
  const { transcriptLanguage: language, transcriptHasTimes: hasTimes } = episode;
  return {
    id: episode.id,
    slug: episode.slug,
    title: episode.title,
    description: episode.description,
    // A show without seasons is season 1 to the public; the keyed payload says null.
    season_number: episode.season ?? 1,
    episode_number: episode.episodeNumber,
    episode_type: episode.episodeType,
    explicit: episode.explicit,
    published_at: episode.publishedAt.toISOString(),
    audio: episode.audio === null ? noAudio : presentAudio(hosts, episode.id, episode.audio),
    artwork: presentArtwork(hosts, episode.artwork),
    links: {
      listen: listenUrl(hosts, show, episode.slug),
      embed: embedUrl(hosts, episode.id),
    },
    people: presentPeople(hosts, episode.people),
    transcript: presentTranscript(hosts, episode.id, language, hasTimes),
  };
}

export function presentEpisodeDetail(
  hosts: Installation,
  show: PublicPodcast,
  episode: PublicEpisodeDetail,
): Static<typeof schemas.PublicEpisodeDetail> {
  const listed = presentEpisode(hosts, show, episode);
  const drawn = show.playerWaveform && episode.hasWaveform;
  return {
    ...listed,
    audio: { ...listed.audio, waveform_url: drawn ? waveformUrl(hosts, episode.id) : null },
    subtitle: episode.subtitle,
    show_notes_html: episode.showNotesHtml,
    ai_content: episode.aiContent,
    chapters_url: episode.hasChapters ? chaptersUrl(hosts, episode.id) : null,
    podcast: { id: show.id, slug: show.slug, title: show.title },
  };
}

export function presentAudio(
  hosts: Installation,
  episodeId: string,
  audio: PublicAudio,
): Static<typeof schemas.PublicEpisode>['audio'] {
  const { fileName, contentType, durationMs, sizeBytes } = audio;
  return {
    url: fileName === null ? null : mediaUrl(hosts, { episodeId, fileName }),
    content_type: contentType,
    duration_seconds: durationMs === null ? null : Math.round(durationMs / 1000),
    size_bytes: sizeBytes,
  };
}

export function presentPeople(
  hosts: Installation,
  people: SiteEpisode['people'],
): Static<typeof schemas.PublicEpisode>['people'] {
  return people.map(({ name, role, photo }) => ({
    name,
    role,
    photo_url: photo && imageUrl(hosts, photo),
  }));
}

/** The transcript in the first language; null if none is published. */
export function presentTranscript(
  hosts: Installation,
  episodeId: string,
  language: string | null,
  hasTimes: boolean,
): Static<typeof schemas.PublicEpisode>['transcript'] {
  if (language === null) return null;
  const [format] = transcriptFormats(hasTimes);
  return { url: transcriptUrl(hosts, episodeId, format), content_type: `text/${format}`, language };
}

export function presentArtwork(
  hosts: Installation,
  image: Pick<ImageRef, 'id' | 'contentType'> | null,
): { url: string | null } {
  return { url: image === null ? null : imageUrl(hosts, image) };
}
