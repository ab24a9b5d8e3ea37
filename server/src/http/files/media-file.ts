import { type MediaMarker, mediaMarkers } from '../../domain/foundation/addresses.ts';
import type { PublicAudioFile } from '../../domain/public/catalogue/index.ts';
import { withTrainingHeaders } from '../responses/training-headers.ts';
import type { StoredFile } from './blob-response.ts';

/** Clients must revalidate a cached copy at each playback, so that each playback is counted. */
export const mediaCaching = 'no-cache';

const markers = Object.values(mediaMarkers);

export function tryParseMarker(segment: string): MediaMarker | undefined {
  return markers.find((known) => known === segment);
}

/** The last segment of the audio's address. */
export function fileNameOf({ mediaName, extension }: PublicAudioFile): string {
  return `${mediaName}.${extension}`;
}

export function storedFileOf(
  audio: PublicAudioFile,
  { blobKey: key, sha256: hash, sizeBytes }: NonNullable<PublicAudioFile['copy']>,
): StoredFile {
  const { contentType, updatedAt: lastModified } = audio;
  const extra = withTrainingHeaders({}, audio);
  return { key, hash, sizeBytes, contentType, lastModified, extra };
}
