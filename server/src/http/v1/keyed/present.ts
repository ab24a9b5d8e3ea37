import type { Static } from 'typebox';
import { chaptersUrl, imageUrl, transcriptUrl } from '../../../domain/addresses.ts';
import type { Installation } from '../../../domain/context.ts';
import type {
  MemberEpisode,
  MemberEpisodeDetail,
  ShowNotes,
} from '../../../domain/episodes/index.ts';
import type { ReachedPodcast } from '../../../domain/keys/index.ts';
import type { CreditedPerson, RosterMember } from '../../../domain/people/index.ts';
import type { TranscriptPage } from '../../../domain/transcripts/index.ts';
import { noAudio, presentAudio } from '../present.ts';
import type * as schemas from './schemas.ts';

/** Converts the domain's types to the wire's shapes and names. */

export function presentKeyedPodcast(podcast: ReachedPodcast): Static<typeof schemas.KeyedPodcast> {
  const { membership } = podcast;
  return {
    id: podcast.id,
    slug: podcast.slug,
    title: podcast.title,
    role: membership.role,
    role_name: membership.roleName,
    capabilities: [...membership.capabilities].sort(),
    status: podcast.status,
    hosting_type: podcast.hostingType,
    timezone: podcast.timezone,
    created_at: podcast.createdAt.toISOString(),
  };
}

export function presentListItem(
  episode: MemberEpisode,
): Static<typeof schemas.KeyedEpisodeListItem> {
  return {
    id: episode.id,
    podcast_id: episode.podcastId,
    slug: episode.slug,
    title: episode.title,
    subtitle: episode.subtitle,
    status: episode.status,
    episode_number: episode.episodeNumber,
    season_number: episode.season,
    episode_type: episode.episodeType,
    published_at: episode.publishedAt?.toISOString() ?? null,
    scheduled_for: episode.scheduledFor?.toISOString() ?? null,
    duration_seconds: episode.durationMs === null ? null : Math.round(episode.durationMs / 1000),
    created_at: episode.createdAt.toISOString(),
    rss_guid: episode.rssGuid,
    source: { guid_sha256: episode.guidSha256, enclosure_sha256: episode.enclosureSha256 },
  };
}

export function presentKeyedEpisode(
  hosts: Installation,
  episode: MemberEpisodeDetail,
): Static<typeof schemas.KeyedEpisode> {
  const { id, media } = episode;
  return {
    ...presentListItem(episode),
    explicit: episode.explicit,
    description: episode.description,
    show_notes: episode.showNotes,
    show_notes_html: episode.showNotesHtml,
    media: {
      audio: media.audio === null ? noAudio : presentAudio(hosts, id, media.audio),
      cover_image_url: media.artwork && imageUrl(hosts, media.artwork),
      chapters_url: media.hasChapters ? chaptersUrl(hosts, id) : null,
      transcript_url: media.hasTranscript ? transcriptUrl(hosts, id) : null,
    },
  };
}

export function presentShowNotes(
  episodeId: string,
  notes: ShowNotes,
): Static<typeof schemas.ShowNotes> {
  return {
    episode_id: episodeId,
    show_notes: notes.showNotes,
    show_notes_html: notes.showNotesHtml,
    updated_at: notes.updatedAt.toISOString(),
  };
}

export function presentRosterMember(
  hosts: Installation,
  person: RosterMember,
): Static<typeof schemas.RosterMember> {
  return { ...presentPerson(person), photo_url: person.photo && imageUrl(hosts, person.photo) };
}

export function presentCredit(
  hosts: Installation,
  person: CreditedPerson,
): Static<typeof schemas.EpisodeCredit> {
  return { ...presentPerson(person), avatar_url: person.photo && imageUrl(hosts, person.photo) };
}

const presentPerson = ({ id, name, role, group, linkUrl, bio }: RosterMember | CreditedPerson) => ({
  id,
  name,
  role,
  group,
  link_url: linkUrl,
  bio,
});

export function presentTranscriptPage(
  episodeId: string,
  transcript: TranscriptPage,
): Static<typeof schemas.TranscriptPage> {
  return {
    episode_id: episodeId,
    language: transcript.language,
    word_count: transcript.wordCount,
    duration_seconds: Math.round(transcript.durationMs / 1000),
    total_segments: transcript.segmentCount,
    segments: transcript.items.map(({ position, startMs, endMs, speaker, text }) => ({
      id: position,
      start: startMs / 1000,
      end: endMs / 1000,
      speaker,
      text,
    })),
  };
}
