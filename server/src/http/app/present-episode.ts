import type { Static } from 'typebox';
import {
  embedUrl,
  feedUrl,
  listenUrl,
  mediaUrl,
  memberAudioPath,
  memberImagePath,
} from '../../domain/foundation/addresses.ts';
import type { Installation } from '../../domain/foundation/context.ts';
import {
  type Episode,
  type EpisodeDraft,
  type ShowEpisode,
  statusesAfter,
} from '../../domain/publishing/episodes/index.ts';
import type { EpisodeOutcome } from '../../domain/service/shows/index.ts';
import { wireNames } from '../../lib/wire-names.ts';
import { failureOf, type HttpFailure } from '../errors.ts';
import type * as episodes from './schemas/episodes.ts';

/** From the domain's types to those of the private API, for episodes. */

type ListItem = Static<typeof episodes.EpisodeList>['data'][number];

export function presentShowEpisode(episode: ShowEpisode): ListItem {
  const { durationMs, artwork, downloads7d, ...rest } = episode;
  return {
    ...wireNames(rest),
    duration_seconds: toSeconds(durationMs),
    artwork_url: artwork && memberImagePath(artwork, 160),
    downloads_7d: downloads7d,
  };
}

export function presentDraft(
  hosts: Installation,
  draft: EpisodeDraft,
): Static<typeof episodes.EpisodeDraft> {
  const { artwork, audio, waveform, podcastSlug, ...rest } = draft;
  return {
    ...wireNames(rest),
    artwork: artwork && { id: artwork.id, url: memberImagePath(artwork) },
    audio: audio && {
      content_type: audio.contentType,
      size_bytes: audio.sizeBytes,
      duration_seconds: toSeconds(audio.durationMs),
      sha256: audio.sha256,
      is_external: audio.isExternal,
      file_url: memberAudioPath(draft),
    },
    waveform: presentWaveform(waveform),
    links: {
      listen: listenUrl(hosts, podcastSlug, draft.slug),
      embed: embedUrl(hosts, draft.id),
      feed: feedUrl(hosts, podcastSlug),
      media:
        audio?.fileName == null
          ? null
          : mediaUrl(hosts, { episodeId: draft.id, fileName: audio.fileName }),
    },
  };
}

function presentWaveform(waveform: EpisodeDraft['waveform']) {
  if (waveform === null || waveform === 'pending') return waveform;
  return { duration_seconds: waveform.durationMs / 1000, peaks: [...waveform.peaks] };
}

/** After a change of the status by a member who may make another one. */
export function presentState(episode: Episode): Static<typeof episodes.EpisodeState> {
  return { ...wireNames(episode), may_become: [...statusesAfter(episode.status)] };
}

export function presentOutcome(outcome: EpisodeOutcome): Static<typeof episodes.EpisodeOutcome> {
  if ('refused' in outcome) {
    const failure = failureOf(outcome.refused);
    const nothing = { revision: null, status: null };
    return { id: outcome.id, done: false, ...nothing, error: presentRefusal(failure) };
  }
  const { id, episode } = outcome;
  const { revision = null, status = null } = episode ?? {};
  return { id, done: true, revision, status, error: null };
}

function presentRefusal({ code, message, messageKey, values, details }: HttpFailure) {
  const reason = details?.[0]?.reason;
  return {
    code,
    message,
    ...(messageKey !== undefined && { message_key: messageKey, values: { ...values } }),
    ...(reason !== undefined && { reason }),
  };
}

function toSeconds(ms: number | null): number | null {
  return ms === null ? null : ms / 1000;
}
