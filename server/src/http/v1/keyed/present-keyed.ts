import type { Static } from 'typebox';
import type { ReachedPodcast } from '../../../domain/access/keys/index.ts';
import {
  chaptersUrl,
  imageUrl,
  transcriptFormats,
  transcriptUrl,
} from '../../../domain/foundation/addresses.ts';
import type { Installation } from '../../../domain/foundation/context.ts';
import type {
  MemberEpisode,
  MemberEpisodeDetail,
} from '../../../domain/publishing/episodes/index.ts';
import type { CreditedPerson, RosterMember } from '../../../domain/publishing/people/index.ts';
import type { TranscriptPage } from '../../../domain/publishing/transcripts/index.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import { noAudio, presentAudio } from '../present-public.ts';
import type * as schemas from './keyed-schemas.ts';

/**
 * Converts the domain's types to the shapes and names of the API. A route's response schema leaves
 * out the fields that it does not name.
 */

export function presentKeyedPodcast({
  membership: { capabilities, ...role },
  ...podcast
}: ReachedPodcast): Static<typeof schemas.KeyedPodcast> {
  return { ...wireNames({ ...podcast, ...role }), capabilities: [...capabilities].sort() };
}

/** Field by field: a page has a hundred of them, and names take three times as long by rule. */
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
  { media, explicit, description, showNotes, showNotesHtml, ...listed }: MemberEpisodeDetail,
): Static<typeof schemas.KeyedEpisode> {
  const { id } = listed;
  return {
    ...presentListItem(listed),
    ...wireNames({ explicit, description, showNotes, showNotesHtml }),
    media: {
      audio: media.audio === null ? noAudio : presentAudio(hosts, id, media.audio),
      cover_image_url: media.artwork && imageUrl(hosts, media.artwork),
      chapters_url: media.hasChapters ? chaptersUrl(hosts, id) : null,
      transcript_url:
        media.transcriptHasTimes === null
          ? null
          : transcriptUrl(hosts, id, transcriptFormats(media.transcriptHasTimes)[0]),
    },
  };
}

export function presentRosterMember(
  hosts: Installation,
  { photo, ...person }: RosterMember,
): Static<typeof schemas.RosterMember> {
  return { ...wireNames(person), photo_url: photo && imageUrl(hosts, photo) };
}

export function presentCredit(
  hosts: Installation,
  { photo, ...person }: CreditedPerson,
): Static<typeof schemas.EpisodeCredit> {
  return { ...wireNames(person), avatar_url: photo && imageUrl(hosts, photo) };
}

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
