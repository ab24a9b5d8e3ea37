import type { Episode } from '../domain/episodes/index.ts';
import type { ImportReport } from '../domain/imports/index.ts';
import type { Key } from '../domain/keys/index.ts';

/** What commands print, under the names of world files and the API. */

/** The fields as a world file has them, and what the episode is known by. */
export function presentEpisode(episode: Episode): Record<string, unknown> {
  return {
    id: episode.id,
    podcast_id: episode.podcastId,
    guid: episode.guid,
    slug: episode.slug,
    title: episode.title,
    subtitle: episode.subtitle,
    description: episode.description,
    show_notes_html: episode.showNotesHtml,
    season: episode.season,
    episode: episode.episodeNumber,
    type: episode.episodeType,
    explicit: episode.explicit,
    status: episode.status,
    published_at: episode.publishedAt,
    scheduled_for: episode.scheduledFor,
    created_at: episode.createdAt,
    share_transcript_with_cohosts: episode.shareTranscriptWithCohosts,
    publish_transcript: episode.publishTranscript,
  };
}

/** Without its secret, which no one has. */
export function presentKey(key: Key): Record<string, unknown> {
  return {
    id: key.id,
    name: key.name,
    last_four: key.lastFour,
    scopes: key.scopes,
    podcasts: key.podcasts,
    cut_off_from: key.cutOffFrom,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    replaced: key.replaced && {
      last_four: key.replaced.lastFour,
      works_until: key.replaced.worksUntil,
    },
    last_use: key.lastUse,
  };
}

export function presentReport(report: ImportReport): unknown {
  return underWireNames(report);
}

/** A report nests what the domain compares; every name in it is one of our own fields. */
function underWireNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(underWireNames);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [wireName(name), underWireNames(inner)]),
  );
}

function wireName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
