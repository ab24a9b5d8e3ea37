/**
 * The form of a GUID that is hashed: without the ECMAScript white space around it, which is what
 * `trim` removes (U+FEFF is, U+0085 is not), otherwise as it is. Null when nothing is left.
 */
export function normalizeGuid(value: string): string | null {
  const guid = value.trim();
  return guid === '' ? null : guid;
}
