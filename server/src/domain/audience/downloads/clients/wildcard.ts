/**
 * A text with `*` for any text, also for none: `Overcast/*`, `*Android*Chrome/*`. The whole user
 * agent must match. Matching takes linear time, because the leftmost places are always the best.
 */
export interface Wildcard {
  /** The beginning of the text; empty: anything. */
  readonly start: string;
  /** Parts that follow in this order. */
  readonly middle: readonly string[];
  /** The end of the text; empty: anything. Undefined: the text is exactly `start`. */
  readonly end: string | undefined;
}

export function parseWildcard(pattern: string): Wildcard {
  const [start = '', ...rest] = pattern.split('*');
  const end = rest.pop();
  return { start, middle: rest.filter((part) => part !== ''), end };
}

export function matchesWildcard({ start, middle, end }: Wildcard, text: string): boolean {
  if (end === undefined) return text === start;
  if (!text.startsWith(start)) return false;
  let from = start.length;
  for (const part of middle) {
    const found = text.indexOf(part, from);
    if (found === -1) return false;
    from = found + part.length;
  }
  return text.length - end.length >= from && text.endsWith(end);
}
