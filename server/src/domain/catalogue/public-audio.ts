import { carriesCredential } from '../../lib/credential.ts';
import type { PublicAudio } from './show.ts';

/** A recording as it is stored; `sourceUrl` is null where there is a copy of ours. */
export interface StoredAudio extends Omit<PublicAudio, 'fileName'> {
  readonly extension: string;
  readonly sourceUrl: string | null;
}

/** What the world may know of it: an address that is a secret is not given away by a redirect. */
export function publicAudio(mediaName: string, audio: StoredAudio): PublicAudio {
  const { extension, sourceUrl, contentType, sizeBytes, durationMs } = audio;
  const isSecret = sourceUrl !== null && carriesCredential(sourceUrl);
  const fileName = isSecret ? null : `${mediaName}.${extension}`;
  return { fileName, contentType, sizeBytes, durationMs };
}
