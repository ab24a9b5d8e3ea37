const firstBytes = 4 * 1024;

/**
 * Collects bytes that come in pieces of any size. It copies them: kept as an object, a piece of one byte takes some
 * 400 bytes of memory, and whoever sends a body decides on its pieces.
 */
export class ByteCollector {
  #bytes = Buffer.allocUnsafeSlow(firstBytes);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.#bytes.length) this.#grow(length);
    this.#bytes.set(piece, this.#length);
    this.#length = length;
  }

  /** What came so far. It shares the memory of the collector. */
  toBuffer(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #grow(least: number): void {
    const bytes = Buffer.allocUnsafeSlow(Math.max(least, 2 * this.#bytes.length));
    bytes.set(this.toBuffer());
    this.#bytes = bytes;
  }
}

/** All bytes of a stream whose size is limited. */
export async function collectBytes(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const collected = new ByteCollector();
  for await (const piece of pieces) collected.add(piece);
  return collected.toBuffer();
}
