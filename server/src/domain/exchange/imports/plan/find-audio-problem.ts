import { carriesCredential } from '../../../../lib/credential.ts';
import type { ReadItem } from '../read/item-texts.ts';
import type { ItemPlan } from './plan-item.ts';

/** Why an item with an enclosure becomes an episode without audio, although nothing failed. */
export function findAudioProblem(
  { enclosure }: ReadItem,
  { draft, known }: Pick<ItemPlan, 'draft' | 'known'>,
  { copyAudio }: { readonly copyAudio: boolean },
): { readonly reason: string; readonly message: string } | undefined {
  if (enclosure === undefined || known?.audio?.isCopy === true) return undefined;
  if (draft.audio === undefined) {
    const type = enclosure.type ?? 'a file of an unknown type';
    const message = `Its enclosure is not a supported audio file (${type}), so the episode still needs audio.`;
    return { reason: 'enclosure_not_audio', message };
  }
  if (copyAudio || !carriesCredential(enclosure.url)) return undefined;
  const message =
    'The URL of its audio contains a credential and must not be published, so the episode ' +
    'has no audio. An import that copies the audio solves this.';
  return { reason: audioIsSecret, message };
}

/** Copying the audio would solve it. */
export const audioIsSecret = 'audio_is_secret';
