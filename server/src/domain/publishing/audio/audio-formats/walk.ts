/**
 * Reads a file's bytes in windows. `advance` reads as far as it can and returns the number of bytes
 * it has finished; the next window begins there. Only the last window is read to its end. Before
 * that, `lookaheadBytes` stay unread, so that a walk never sees half a header.
 */
export interface ByteWalk {
  readonly lookaheadBytes: number;
  advance(window: Buffer, isLast: boolean): number;
}
