/**
 * The form in which a GUID is hashed: without the ECMAScript white space around it, which `trim`
 * removes (U+FEFF is one, U+0085 is not), otherwise unchanged. Null if nothing is left.
 */
export function normalizeGuid(value: string): string | null {
  const guid = value.trim();
  return guid === '' ? null : guid;
}
