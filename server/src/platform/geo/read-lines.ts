import { closeSync, openSync, readSync } from 'node:fs';

const lineEnd = 0x0a;
/** Longer than any line. */
const pieceBytes = 256 * 1024;

/**
 * The lines of a file without their ends, for a thread that may wait for the disk. A line is valid
 * until the next one: the file is read in pieces, because all of it would take tens of megabytes.
 * Throws RangeError for a line that is longer than a piece.
 */
export function* readLines(path: string): Generator<Buffer> {
  const file = openSync(path, 'r');
  try {
    const piece = Buffer.alloc(pieceBytes);
    let filled = 0;
    for (;;) {
      if (filled === piece.length) throw new RangeError(`${path} contains a line that is too long`);
      const read = readSync(file, piece, filled, piece.length - filled, null);
      filled += read;
      const known = piece.subarray(0, filled);
      let at = 0;
      for (let end = known.indexOf(lineEnd); end >= 0; end = known.indexOf(lineEnd, at)) {
        yield known.subarray(at, end);
        at = end + 1;
      }
      if (read === 0) {
        if (at < filled) yield known.subarray(at);
        return;
      }
      piece.copyWithin(0, at, filled);
      filled -= at;
    }
  } finally {
    closeSync(file);
  }
}
