import type { Static } from 'typebox';
import { embedUrl, listenUrl } from '../../../domain/addresses.ts';
import type { Installation } from '../../../domain/context.ts';
import type { SiteChange, SiteEpisode } from '../../../domain/sites/index.ts';
import {
  noAudio,
  presentArtwork,
  presentAudio,
  presentPeople,
  presentTranscript,
} from '../present.ts';
import type * as schemas from './changes-schemas.ts';

type Change = Static<typeof schemas.SiteChange>;

export function presentChanges(hosts: Installation, changes: readonly SiteChange[]): Change[] {
  return changes.map((change) => presentChange(hosts, change));
}

function presentChange(hosts: Installation, change: SiteChange): Change {
  const { seq, episodeId, podcastId, changedAt, contentHash } = change;
  const shared = {
    seq,
    episode_id: episodeId,
    podcast_id: podcastId,
    content_hash: contentHash,
    changed_at: changedAt.toISOString(),
  };
  if (change.contentHash === null) return { ...shared, type: 'tombstone', reason: change.reason };
  const episode = presentSiteEpisode(hosts, episodeId, change.episode);
  return { ...shared, type: 'upsert', episode };
}

function presentSiteEpisode(
  hosts: Installation,
  id: string,
  episode: SiteEpisode,
): NonNullable<Change['episode']> {
  const { podcastSlug, slug, audio } = episode;
  return {
    slug,
    title: episode.title,
    subtitle: episode.subtitle,
    description: episode.description,
    show_notes_html: episode.showNotesHtml,
    season_number: episode.season,
    episode_number: episode.episodeNumber,
    episode_type: episode.episodeType,
    explicit: episode.explicit,
    published_at: episode.publishedAt,
    audio: audio === null ? noAudio : presentAudio(hosts, id, audio),
    artwork: presentArtwork(hosts, episode.artwork),
    links: { listen: listenUrl(hosts, podcastSlug, slug), embed: embedUrl(hosts, id) },
    people: presentPeople(hosts, episode.people),
    transcript: presentTranscript(hosts, id, episode.transcriptLanguage),
  };
}
