import { carriesCredential } from '../../lib/credential.ts';

/** Whether the audio is only at an address that carries a credential, which nobody is told. */
export function isAtSecretAddress(audio: {
  readonly blobKey: string | null;
  readonly sourceUrl: string | null;
}): boolean {
  return audio.blobKey === null && carriesCredential(audio.sourceUrl ?? '');
}
