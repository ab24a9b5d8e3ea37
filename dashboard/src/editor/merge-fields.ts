import { type Fields, sameValue } from './fields.ts';

export interface MergedFields {
  /** Where both sides changed a field differently, this has the value of `mine`. */
  readonly merged: Fields;
  /** The fields that both sides changed differently: a person decides. */
  readonly overlapping: readonly string[];
}

/**
 * Merges two versions of one form, field by field, by what each side changed since `base`. A field
 * that `theirs` does not name is left as it is.
 */
export function mergeFields(base: Fields, mine: Fields, theirs: Fields): MergedFields {
  const merged: Record<string, Fields[string]> = { ...mine };
  const overlapping: string[] = [];
  for (const [field, value] of Object.entries(theirs)) {
    if (sameValue(mine[field], value) || sameValue(base[field], value)) continue;
    if (sameValue(mine[field], base[field])) merged[field] = value;
    else overlapping.push(field);
  }
  return { merged, overlapping };
}
