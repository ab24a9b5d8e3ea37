/**
 * `text.includes(part)` in linear time (Knuth, Morris, Pratt). The engine's own search is quadratic
 * for repetitive texts, and both come from strangers.
 */
export function containsText(text: string, part: string): boolean {
  if (part.length > text.length) return false;
  if (text.startsWith(part)) return true;
  const fallback = fallbacksOf(part);
  let matched = 0;
  for (let at = 0; at < text.length; at += 1) {
    matched = extend(part, fallback, matched, text.charCodeAt(at));
    if (matched === part.length) return true;
  }
  return false;
}

/** The length of the match after reading one more unit. */
function extend(part: string, fallback: Int32Array, matched: number, unit: number): number {
  let length = matched;
  while (length > 0 && part.charCodeAt(length) !== unit) length = fallback[length - 1] ?? 0;
  return part.charCodeAt(length) === unit ? length + 1 : length;
}

/** For each prefix of `part`, the length of its longest proper suffix that is also a prefix. */
function fallbacksOf(part: string): Int32Array {
  const fallback = new Int32Array(part.length);
  for (let at = 1; at < part.length; at += 1) {
    fallback[at] = extend(part, fallback, fallback[at - 1] ?? 0, part.charCodeAt(at));
  }
  return fallback;
}
