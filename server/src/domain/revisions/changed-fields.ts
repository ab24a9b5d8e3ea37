import { isDeepStrictEqual } from 'node:util';
import { wireName } from '../../lib/wire-names.ts';

/** The wire names of the fields whose values change. */
export function changedFields(before: object, changes: object): string[] {
  const values = new Map<string, unknown>(Object.entries(before));
  return Object.entries(changes)
    .filter(([name, value]) => value !== undefined && !isDeepStrictEqual(value, values.get(name)))
    .map(([name]) => (name === 'artworkId' ? 'artwork' : wireName(name)));
}
