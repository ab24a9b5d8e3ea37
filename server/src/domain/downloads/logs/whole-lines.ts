import { maxLineBytes } from './log-line.ts';

/** Some lines of a log, with their ends. */
export interface Piece {
  readonly bytes: Buffer;
  /** False for what stands behind the last end of a line: its line may still be written. */
  readonly isComplete: boolean;
}

const lineFeed = 0x0a;
const nothing = Buffer.alloc(0);

/** Cuts content behind the ends of its lines. A line without end is cut where it is too long. */
export async function* wholeLines(content: AsyncIterable<Buffer>): AsyncGenerator<Piece> {
  let rest: Buffer = nothing;
  for await (const chunk of content) {
    const end = chunk.lastIndexOf(lineFeed) + 1;
    const isTooLong = end === 0 && rest.length + chunk.length > maxLineBytes;
    const cutAt = isTooLong ? chunk.length : end;
    if (cutAt > 0) {
      const head = chunk.subarray(0, cutAt);
      yield { bytes: rest.length === 0 ? head : Buffer.concat([rest, head]), isComplete: true };
    }
    const tail = chunk.subarray(cutAt);
    rest = cutAt > 0 || rest.length === 0 ? Buffer.from(tail) : Buffer.concat([rest, tail]);
  }
  if (rest.length > 0) yield { bytes: rest, isComplete: false };
}

/** The lines of a piece, one character for each byte. */
export function splitLines({ bytes }: Piece): string[] {
  const lines = bytes.toString('latin1').split('\n');
  // What the last end of a line leaves behind is no line.
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}
