export interface ComparedPart {
  readonly text: string;
  /** Only this text has it. */
  readonly isOwn: boolean;
}

/**
 * Splits a text by whether another text has the words too: by the longest common words in the same
 * order. With more than some thousand differing words, everything between the common beginning and
 * end counts as different.
 */
export function compareWords(text: string, other: string): readonly ComparedPart[] {
  const [a, b] = [wordsOf(text), wordsOf(other)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  const most = Math.min(a.length, b.length) - start;
  while (end < most && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const middle = a.slice(start, a.length - end);
  const shared = commonWords(middle, b.slice(start, b.length - end));
  const isOwn = a.map((_, index) => {
    const inMiddle = index >= start && index < a.length - end;
    return inMiddle && !shared.has(index - start);
  });
  return joinParts(a, isOwn);
}

const wordsOf = (text: string) => text.match(/\s+|[^\s]+/g) ?? [];
const mostPairs = 4_000_000;

/** The indexes in `a` of a longest common subsequence. */
function commonWords(a: readonly string[], b: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>();
  const width = b.length + 1;
  if (a.length * b.length > mostPairs) return found;
  const lengths = new Uint16Array((a.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = a.length - 1; row >= 0; row -= 1) {
    for (let column = b.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        a[row] === b[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  for (let row = 0, column = 0; row < a.length && column < b.length; ) {
    if (a[row] === b[column]) {
      found.add(row);
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return found;
}

function joinParts(words: readonly string[], isOwn: readonly boolean[]): ComparedPart[] {
  const parts: { text: string; isOwn: boolean }[] = [];
  for (const [index, word] of words.entries()) {
    const own = isOwn[index] === true;
    const last = parts.at(-1);
    if (last?.isOwn === own) last.text += word;
    else parts.push({ text: word, isOwn: own });
  }
  return parts;
}
