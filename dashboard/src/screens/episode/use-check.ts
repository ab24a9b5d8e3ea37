import { useLingui } from '@lingui/react/macro';
import { useRef } from 'react';
import type { EpisodeDraft } from '../../api/episode.ts';
import type { Chapter } from '../../api/recording.ts';
import type { Check } from '../../editor/refused-fields.ts';
import { hasRefused } from '../../waveform/chapters/check-rows.ts';
import { recordingOf } from '../../waveform/recording.ts';
import { tryReadField } from '../../waveform/transcript/segment-fields.ts';

/**
 * Finds values that the server would refuse. It stays the same function, but uses the present
 * episode.
 */
export function useCheck(episode: EpisodeDraft): Check {
  const { t } = useLingui();
  const newest = useRef<Check>(undefined);
  newest.current = (field, value) => {
    if (field === 'chapters') {
      const chapters = (value ?? []) as unknown as readonly Chapter[];
      return hasRefused(chapters, recordingOf(episode))
        ? t`Some chapters cannot be saved as they are.`
        : undefined;
    }
    const isBlank = typeof value === 'string' && value.trim() === '';
    return isBlank && tryReadField(field)?.name === 'text'
      ? t`A segment without words cannot be saved.`
      : undefined;
  };
  return useRef<Check>((field, value) => newest.current?.(field, value)).current;
}
