import type { Static } from 'typebox';
import type { SiteChange, SiteEpisode } from '../../../domain/exchange/sites/index.ts';
import { embedUrl, listenUrl } from '../../../domain/foundation/addresses.ts';
import type { Installation } from '../../../domain/foundation/context.ts';
import { wireNames } from '../../../lib/wire-names.ts';
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
  if (change.contentHash === null) return { ...wireNames(change), type: 'tombstone' };
  const { episode, ...rest } = change;
  const shown = presentSiteEpisode(hosts, change.episodeId, episode);
  return { ...wireNames(rest), type: 'upsert', episode: shown };
}

function presentSiteEpisode(
  hosts: Installation,
  id: string,
  { season, audio, artwork, people, podcastSlug, ...rest }: SiteEpisode,
): NonNullable<Change['episode']> {
  const { transcriptLanguage, transcriptHasTimes = true, ...episode } = rest;
  return {
    ...wireNames(episode),
    ai_content: episode.aiContent ?? null,
    season_number: season,
    audio: audio === null ? noAudio : presentAudio(hosts, id, audio),
    artwork: presentArtwork(hosts, artwork),
    links: { listen: listenUrl(hosts, podcastSlug, episode.slug), embed: embedUrl(hosts, id) },
    people: presentPeople(hosts, people),
    transcript: presentTranscript(hosts, id, transcriptLanguage, transcriptHasTimes),
  };
}
