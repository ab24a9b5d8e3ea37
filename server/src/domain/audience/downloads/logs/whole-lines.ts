import { maxLineBytes } from './log-line.ts';

/** Some lines of a log, with their ends. */
export interface Piece {
  readonly bytes: Buffer;
  /** False for the text after the last line end: its line may still be written. */
  readonly isComplete: boolean;
  /** True: it begins with the rest of a too long line, whose beginning is in the piece before. */
  readonly beginsInLine: boolean;
}

export const lineFeed = 0x0a;
const nothing = Buffer.alloc(0);

/** Cuts content after line ends. A line that is too long is cut. */
export async function* wholeLines(
  content: AsyncIterable<Buffer>,
  { startsInLine = false }: { readonly startsInLine?: boolean } = {},
): AsyncGenerator<Piece> {
  let rest: Buffer = nothing;
  let beginsInLine = startsInLine;
  for await (const chunk of content) {
    const end = chunk.lastIndexOf(lineFeed) + 1;
    const isTooLong = end === 0 && rest.length + chunk.length > maxLineBytes;
    const cutAt = isTooLong ? chunk.length : end;
    if (cutAt > 0) {
      const head = chunk.subarray(0, cutAt);
      const bytes = rest.length === 0 ? head : Buffer.concat([rest, head]);
      yield { bytes, isComplete: true, beginsInLine };
      beginsInLine = isTooLong;
    }
    const tail = chunk.subarray(cutAt);
    rest = cutAt > 0 || rest.length === 0 ? Buffer.from(tail) : Buffer.concat([rest, tail]);
  }
  if (rest.length > 0) yield { bytes: rest, isComplete: false, beginsInLine };
}

/**
 * The lines that begin in a piece, one character for each byte. The rest of a cut line is not
 * returned, because clients may have sent text there that looks like a line.
 */
export function splitLines({ bytes, beginsInLine }: Piece): string[] {
  const lines = bytes.toString('latin1').split('\n');
  if (beginsInLine) lines.shift();
  // The empty text after the last line end is not a line.
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}
