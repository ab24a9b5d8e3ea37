import { carriesCredential } from '../../../lib/credential.ts';

export interface PublicAudio {
  /**
   * ASCII, with the audio's extension; never changes. Null if the audio is only at an address that
   * carries a credential.
   */
  readonly fileName: string | null;
  readonly contentType: string;
  readonly sizeBytes: number | null;
  readonly durationMs: number | null;
}

/** A recording as it is stored; `sourceUrl` is null if we hold a copy. */
export interface StoredAudio extends Omit<PublicAudio, 'fileName'> {
  readonly extension: string;
  readonly sourceUrl: string | null;
}

/** Leaves out the file name if our address would redirect to one with a credential. */
export function publicAudio(mediaName: string, audio: StoredAudio): PublicAudio {
  const { extension, sourceUrl, contentType, sizeBytes, durationMs } = audio;
  const isSecret = isBehindCredential({ hasCopy: sourceUrl === null, sourceUrl });
  const fileName = isSecret ? null : `${mediaName}.${extension}`;
  return { fileName, contentType, sizeBytes, durationMs };
}

/**
 * Whether audio is only at an address that carries a credential (PUB-19): nobody is told that
 * address, whoever asks, so the audio cannot be sent.
 */
export function isBehindCredential(audio: {
  readonly hasCopy: boolean;
  readonly sourceUrl: string | null;
}): boolean {
  return !audio.hasCopy && carriesCredential(audio.sourceUrl ?? '');
}
