import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Hashing this much takes a few milliseconds. */
const sliceBytes = 1024 * 1024;

/** SHA-256 of all pieces together, as base64url. Yields to other tasks after each megabyte. */
export async function digestInTurns(pieces: readonly Buffer[]): Promise<string> {
  const hash = createHash('sha256');
  let sinceTurn = 0;
  for (const piece of pieces) {
    for (let start = 0; start < piece.length; start += sliceBytes) {
      const slice = piece.subarray(start, start + sliceBytes);
      hash.update(slice);
      sinceTurn += slice.length;
      if (sinceTurn < sliceBytes) continue;
      await nextTurn();
      sinceTurn = 0;
    }
  }
  return hash.digest('base64url');
}
