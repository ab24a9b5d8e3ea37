import type { ByteRange, RangeSelection } from '../../lib/byte-range.ts';

/** Data about the bytes of a stored file, updated while they are sent. */
export interface Transfer {
  /** The bytes that the client should get. */
  requested: readonly ByteRange[];
  /** Whether nginx sends the bytes. */
  isHandedOver: boolean;
  /** The ranges that this process has begun to send, each from `start` on. */
  readonly begun: { readonly start: number; readonly bytes: { readonly takenBytes: number } }[];
}

export function newTransfer(): Transfer {
  return { requested: [], isHandedOver: false, begun: [] };
}

/** The bytes of the file that were handed to the connection so far. */
export function sentRanges({ begun }: Transfer): ByteRange[] {
  return begun
    .filter(({ bytes }) => bytes.takenBytes > 0)
    .map(({ start, bytes }) => ({ start, end: start + bytes.takenBytes - 1 }));
}

/** A whole file is one range. Empty for an empty file or a range outside of it. */
export function rangesOf(selection: RangeSelection, sizeBytes: number): readonly ByteRange[] {
  if (selection.kind === 'ranges') return selection.ranges;
  return selection.kind === 'whole' && sizeBytes > 0 ? [{ start: 0, end: sizeBytes - 1 }] : [];
}
