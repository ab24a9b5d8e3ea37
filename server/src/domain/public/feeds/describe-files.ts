import { putBehindPrefixes } from '../../../lib/enclosure-prefixes.ts';
import {
  mediaMarkers,
  mediaUrl,
  transcriptFormats,
  transcriptUrl,
} from '../../foundation/addresses.ts';
import type { Installation } from '../../foundation/context.ts';
import type { FeedEpisode, PublicPodcast } from '../catalogue/index.ts';
import type { FeedEnclosure, FeedTranscript } from './feed.ts';

/** The first language, then the others. */
export function describeTranscripts(hosts: Installation, episode: FeedEpisode): FeedTranscript[] {
  const { id, transcriptLanguage: first, transcriptHasTimes, furtherTranscripts } = episode;
  if (first === null) return [];
  const formsIn = (language: string, hasTimes: boolean, further?: string): FeedTranscript[] =>
    transcriptFormats(hasTimes).map((format) => {
      const url = transcriptUrl(hosts, id, format, further);
      return { url, language, ...transcriptTypes[format] };
    });
  const further = furtherTranscripts ?? [];
  return [
    ...formsIn(first, transcriptHasTimes),
    ...further.flatMap(({ language, hasTimes }) => formsIn(language, hasTimes, language)),
  ];
}

const transcriptTypes = {
  vtt: { type: 'text/vtt' },
  srt: { type: 'application/x-subrip', rel: 'captions' },
  json: { type: 'application/json' },
  html: { type: 'text/html' },
} as const;

/**
 * Our URL with the feed's marker, behind the show's prefixes (FEED-16); undefined if the only URL contains
 * a secret. Audio elsewhere has none: it may have those of its host, which would count twice.
 */
export function describeEnclosure(
  hosts: Installation,
  { enclosurePrefixes }: Pick<PublicPodcast, 'enclosurePrefixes'>,
  { id: episodeId, audio, audioIsElsewhere }: FeedEpisode,
): FeedEnclosure | undefined {
  if (audio?.fileName == null) return undefined;
  const url = mediaUrl(hosts, { episodeId, fileName: audio.fileName }, mediaMarkers.feed);
  return {
    url: audioIsElsewhere ? url : putBehindPrefixes(url, enclosurePrefixes),
    lengthBytes: audio.sizeBytes ?? undefined,
    type: audio.contentType,
  };
}
