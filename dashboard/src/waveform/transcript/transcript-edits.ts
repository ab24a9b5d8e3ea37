import type { Segment, SegmentChange } from '../../api/recording.ts';

export interface Edit {
  readonly text?: string;
  readonly speaker?: string;
}

/** The person's changes of a transcript, without those that were changed back. */
export type Edits = ReadonlyMap<number, Edit>;

export const noEdits: Edits = new Map();

export function applyEdit(segment: Segment, edit: Edit | undefined): Segment {
  return edit === undefined ? segment : { ...segment, ...edit };
}

export function editSegment(edits: Edits, segment: Segment, change: Edit): Edits {
  const edited = { ...edits.get(segment.index), ...change };
  const differs: Edit = {
    ...(edited.text !== undefined && edited.text !== segment.text && { text: edited.text }),
    ...(edited.speaker !== undefined &&
      edited.speaker !== segment.speaker && { speaker: edited.speaker }),
  };
  const next = new Map(edits);
  if (Object.keys(differs).length === 0) next.delete(segment.index);
  else next.set(segment.index, differs);
  return next;
}

/** Everywhere where the speaker has this name now. */
export function renameSpeaker(
  edits: Edits,
  segments: readonly Segment[],
  name: string,
  newName: string,
): Edits {
  let next = edits;
  for (const segment of segments) {
    if (applyEdit(segment, edits.get(segment.index)).speaker !== name) continue;
    if (next === edits) next = new Map(edits);
    const edit = { ...edits.get(segment.index), speaker: newName };
    if (newName === segment.speaker) delete (edit as { speaker?: string }).speaker;
    if (Object.keys(edit).length === 0) (next as Map<number, Edit>).delete(segment.index);
    else (next as Map<number, Edit>).set(segment.index, edit);
  }
  return next;
}

export function toChanges(edits: Edits): SegmentChange[] {
  return [...edits].map(([index, edit]) => ({ index, ...edit }));
}

/** How many segments each speaker has, the most first; segments of nobody are left out. */
export function countSpeakers(
  segments: readonly Segment[],
  edits: Edits,
): { name: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const segment of segments) {
    const { speaker } = applyEdit(segment, edits.get(segment.index));
    if (speaker !== '') counts.set(speaker, (counts.get(speaker) ?? 0) + 1);
  }
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((one, other) => other.count - one.count);
}

/** The indexes of segments that have all of these words, in words or as the speaker. */
export function findSegments(
  segments: readonly Segment[],
  edits: Edits,
  search: string,
): readonly number[] {
  const wanted = search.trim().toLowerCase();
  if (wanted === '') return [];
  return segments.flatMap((segment) => {
    const { text, speaker } = applyEdit(segment, edits.get(segment.index));
    const isFound = text.toLowerCase().includes(wanted) || speaker.toLowerCase().includes(wanted);
    return isFound ? [segment.index] : [];
  });
}

/** The segment that is heard at a time: the last one that has begun. -1 before the first. */
export function segmentAt(segments: readonly Segment[], seconds: number): number {
  let [low, high] = [0, segments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((segments[middle] as Segment).start_seconds <= seconds) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The time of a word, estimated: its position in the text is its share of the time. */
export function timeOfCharacter(segment: Segment, text: string, place: number): number {
  const wordStart = text.lastIndexOf(' ', Math.max(0, place - 1)) + 1;
  const share = text.length === 0 ? 0 : wordStart / text.length;
  return segment.start_seconds + share * (segment.end_seconds - segment.start_seconds);
}
