import type { ExternalAudio } from '../../publishing/audio/index.ts';
import { describeAddress } from './describe-parts.ts';
import type { FieldDifference } from './import-report.ts';
import type { KeptValue } from './imported-values.ts';
import type { ItemDraft } from './item-draft.ts';
import type { KnownItem } from './known-items.sql.ts';

export interface AudioPlan {
  /** The redirect target, at least until there is a copy. */
  readonly refer: ExternalAudio | undefined;
  /** To be copied after the episode is created. */
  readonly copy: ExternalAudio | undefined;
  readonly difference: FieldDifference | undefined;
  /** Audio that was set here stays. */
  readonly kept: KeptValue | undefined;
}

const nothing: AudioPlan = {
  refer: undefined,
  copy: undefined,
  difference: undefined,
  kept: undefined,
};

/** What to do about an item's audio. */
export function planAudio(
  { audio }: ItemDraft,
  known: KnownItem | undefined,
  { copyAudio, overwrite }: { readonly copyAudio: boolean; readonly overwrite: boolean },
): AudioPlan {
  if (audio === undefined) return nothing;
  const here = known?.audio ?? undefined;
  const from = here === undefined ? null : describeAudio(here.sourceUrl, here.isCopy);
  const difference = { field: 'audio', from, to: describeAudio(audio.url, copyAudio) };
  if (here?.isCopy === true) {
    if (here.sourceUrl === null && !overwrite) {
      return { ...nothing, kept: { field: 'audio', here: from, source: difference.to } };
    }
    // A stored copy is never replaced with a mere URL.
    if (here.sourceUrl === audio.url || !copyAudio) return nothing;
    return { ...nothing, copy: audio, difference };
  }
  const isReferred =
    here?.sourceUrl === audio.url &&
    here.sizeBytes === audio.sizeBytes &&
    here.durationMs === audio.durationMs;
  if (isReferred && !copyAudio) return nothing;
  return {
    ...nothing,
    refer: isReferred ? undefined : audio,
    copy: copyAudio ? audio : undefined,
    difference,
  };
}

function describeAudio(address: string | null, isCopy: boolean): string {
  const place = URL.canParse(address ?? '') ? describeAddress(address ?? '') : 'audio of ours';
  return isCopy ? `a copy of ${place}` : place;
}
