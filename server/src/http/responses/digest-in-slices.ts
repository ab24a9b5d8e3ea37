import { createHash } from 'node:crypto';
import { setImmediate as yieldToOthers } from 'node:timers/promises';

/** Hashing this much takes a few milliseconds. */
const sliceBytes = 1024 * 1024;

/** SHA-256 of all pieces together, as base64url. Yields to other tasks after each megabyte. */
export async function digestInSlices(pieces: readonly Buffer[]): Promise<string> {
  const hash = createHash('sha256');
  let sinceYield = 0;
  for (const piece of pieces) {
    for (let start = 0; start < piece.length; start += sliceBytes) {
      const slice = piece.subarray(start, start + sliceBytes);
      hash.update(slice);
      sinceYield += slice.length;
      if (sinceYield < sliceBytes) continue;
      await yieldToOthers();
      sinceYield = 0;
    }
  }
  return hash.digest('base64url');
}
