import type { Readable } from 'node:stream';

/**
 * The bytes of `body` in buffers of exactly `partBytes`, the last one shorter; none of an empty
 * body. Holds one part and one chunk at a time, and destroys `body` when it is left early.
 */
export async function* splitIntoParts(body: Readable, partBytes: number): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  for await (const chunk of body) {
    let rest = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk);
    while (heldBytes + rest.length >= partBytes) {
      const taken = partBytes - heldBytes;
      yield Buffer.concat([...held, rest.subarray(0, taken)], partBytes);
      rest = rest.subarray(taken);
      held = [];
      heldBytes = 0;
    }
    if (rest.length > 0) held.push(rest);
    heldBytes += rest.length;
  }
  if (heldBytes > 0) yield Buffer.concat(held, heldBytes);
}
