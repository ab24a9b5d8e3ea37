/** What a field of a form holds: anything that JSON can carry. */
export type FieldValue =
  | string
  | number
  | boolean
  | null
  | readonly FieldValue[]
  | { readonly [name: string]: FieldValue };

export type Fields = Readonly<Record<string, FieldValue>>;

export function sameValue(a: FieldValue | undefined, b: FieldValue | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  const [left, right] = [a as Fields, b as Fields];
  return names.every((name) => name in right && sameValue(left[name], right[name]));
}
