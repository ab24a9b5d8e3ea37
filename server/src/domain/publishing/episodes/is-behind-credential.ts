import { carriesCredential } from '../../../lib/credential.ts';

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
