import type { Draft } from './draft.ts';

const version = 1;

/**
 * Reads a stored draft, perhaps of another release. Undefined: it cannot be read. Throws for a
 * draft of a newer release, whose text must not be replaced.
 */
export function readDraft(kept: unknown): Draft | undefined {
  if (!isRecord(kept)) return undefined;
  const { revision, editedAt } = kept;
  if (Number(kept['version']) > version) throw new Error('this draft is of a newer release');
  const isWhole =
    kept['version'] === version &&
    typeof revision === 'number' &&
    typeof editedAt === 'number' &&
    [kept['base'], kept['mine'], kept['normalized']].every(isRecord) &&
    [kept['sent'], kept['late'], kept['held']].every(isRecordOfLists);
  return isWhole ? (kept as unknown as Draft) : undefined;
}

function isRecordOfLists(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(Array.isArray);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
