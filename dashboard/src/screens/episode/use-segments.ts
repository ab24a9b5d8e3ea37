import { useMemo } from 'react';
import type { EpisodeTranscript } from '../../api/recording.ts';
import { sameValue } from '../../editor/fields.ts';
import { changedFields, editsOf, tryReadField } from '../../waveform/transcript/segment-fields.ts';
import { applyEdit, type Edits } from '../../waveform/transcript/transcript-edits.ts';
import { useEditing } from './editing.ts';

/** The segments of the server, and the person's changes to them. */
export function useSegments({ segments: loaded, revision }: EpisodeTranscript) {
  const { engine, state } = useEditing();
  const { base, values, problems } = state;
  const segments = useMemo(() => {
    const saved = editsOf(base);
    return saved.size === 0
      ? loaded
      : loaded.map((segment) => applyEdit(segment, saved.get(segment.index)));
  }, [loaded, base]);
  const edits = useMemo(
    () => editsOf(values, (field) => !sameValue(values[field], base[field])),
    [values, base],
  );
  return {
    segments,
    edits,
    change(next: Edits) {
      const { changes, read } = changedFields(segments, edits, next);
      engine.edit(changes, { revision, fields: read });
    },
    problem: Object.entries(problems).find(([field]) => tryReadField(field) !== undefined)?.[1],
  };
}
