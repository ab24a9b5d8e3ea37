import type { Key } from '../domain/access/keys/index.ts';
import type { ImportReport, ListedImport } from '../domain/exchange/imports/index.ts';
import type { ListedSite } from '../domain/exchange/sites/index.ts';
import type { Episode } from '../domain/publishing/episodes/index.ts';
import { wireNames } from '../lib/wire-names.ts';

/** The output of commands, under the names of seed files and the API. */

/** The fields of a seed file, and the episode's ids. */
export function printedEpisode(episode: Episode): Record<string, unknown> {
  return {
    id: episode.id,
    podcast_id: episode.podcastId,
    guid: episode.guid,
    slug: episode.slug,
    title: episode.title,
    itunes_title: episode.itunesTitle,
    subtitle: episode.subtitle,
    description: episode.description,
    show_notes_html: episode.showNotesHtml,
    season: episode.season,
    season_name: episode.seasonName,
    episode: episode.episodeNumber,
    episode_display: episode.episodeDisplay,
    type: episode.episodeType,
    explicit: episode.explicit,
    itunes_block: episode.itunesBlock,
    link_url: episode.linkUrl,
    status: episode.status,
    published_at: episode.publishedAt,
    scheduled_for: episode.scheduledFor,
    created_at: episode.createdAt,
    share_transcript_with_cohosts: episode.shareTranscriptWithCohosts,
    publish_transcript: episode.publishTranscript,
  };
}

/** Without its secret, which is not stored. */
export function printedKey({ userId, kind, ...key }: Key) {
  return wireNames(key);
}

/** As in the private API, with the user's email address. */
export function printedSite({ userId: _, keyId: __, userEmail: user, ...site }: ListedSite) {
  const { id, siteUrl, ...rest } = site;
  return wireNames({ id, user, siteUrl, ...rest });
}

export function presentReport(report: ImportReport): unknown {
  return wireNames(report);
}

/** Contains no secrets of the source. Includes the report if there is one. */
export function printedImport(found: ListedImport & { report?: ImportReport | null }): unknown {
  const {
    ownerId: _,
    ownerEmail: owner,
    sourceUrl,
    podcastId,
    podcastSlug,
    podcastTitle: __,
    ...rest
  } = found;
  const url = URL.parse(sourceUrl ?? '');
  const podcast = podcastId === null ? null : { id: podcastId, slug: podcastSlug };
  const { id, state, ...more } = rest;
  return wireNames({
    ...{ id, state, owner, podcast },
    source: url === null ? null : `${url.origin}${url.pathname}`,
    ...more,
  });
}
