import type { Segment, SegmentChange } from '../../api/recording.ts';
import type { Fields } from '../../editor/fields.ts';
import type { Edit, Edits } from './transcript-edits.ts';

/** The words and the speaker of each segment are fields of the episode: `transcript.12.text`. */
const form = /^transcript\.(\d+)\.(text|speaker)$/;

type Name = keyof Edit;

const fieldOf = (index: number, name: Name) => `transcript.${index}.${name}`;

export function tryReadField(field: string): { index: number; name: Name } | undefined {
  const [, index, name] = form.exec(field) ?? [];
  return index === undefined ? undefined : { index: Number(index), name: name as Name };
}

/** Fields of segments as edits, without those that `isWanted` leaves out. */
export function editsOf(fields: Fields, isWanted: (field: string) => boolean = () => true): Edits {
  const edits = new Map<number, Edit>();
  for (const [field, value] of Object.entries(fields)) {
    const read = tryReadField(field);
    if (read === undefined || typeof value !== 'string' || !isWanted(field)) continue;
    edits.set(read.index, { ...edits.get(read.index), [read.name]: value });
  }
  return edits;
}

export function fieldsOfSegments(segments: readonly SegmentChange[]): Fields {
  const fields: Record<string, string> = {};
  for (const { index, text, speaker } of segments) {
    if (text !== undefined) fields[fieldOf(index, 'text')] = text;
    if (speaker !== undefined) fields[fieldOf(index, 'speaker')] = speaker;
  }
  return fields;
}

/** What the segments say in these fields; null where there is no such segment. */
export function readFields(segments: readonly Segment[], fields: readonly string[]): Fields {
  return Object.fromEntries(
    fields.map((field) => {
      const { index, name } = tryReadField(field) ?? { index: -1, name: 'text' };
      return [field, segments[index]?.[name as Name] ?? null];
    }),
  );
}

/** The fields that differ between two states of the edits, with their values without any edit. */
export function changedFields(
  segments: readonly Segment[],
  before: Edits,
  after: Edits,
): { readonly changes: Fields; readonly read: Fields } {
  const changes: Record<string, string> = {};
  const read: Record<string, string> = {};
  for (const index of new Set([...before.keys(), ...after.keys()])) {
    const segment = segments[index];
    const [old, next] = [before.get(index), after.get(index)];
    if (segment === undefined || old === next) continue;
    for (const name of ['text', 'speaker'] as const) {
      const value = next?.[name] ?? segment[name];
      if (value === (old?.[name] ?? segment[name])) continue;
      changes[fieldOf(index, name)] = value;
      read[fieldOf(index, name)] = segment[name];
    }
  }
  return { changes, read };
}
