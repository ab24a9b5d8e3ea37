/**
 * A walk over a file's bytes, fed by windows of it: `advance` reads as far as it can and says how
 * many bytes it is done with; the next window begins there. Only the last window may be read to its
 * end: before that, `lookaheadBytes` stay unread, so that a walk never sees half a header.
 */
export interface ByteWalk {
  readonly lookaheadBytes: number;
  advance(window: Buffer, isLast: boolean): number;
}
