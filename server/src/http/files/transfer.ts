import type { ByteRange } from '../../lib/byte-range.ts';

/** Data about the bytes of a stored file, updated while they are sent. */
export interface Transfer {
  /** Whether nginx sends the bytes. */
  isHandedOver: boolean;
  /** The ranges that this process has begun to send, each from `start` on. */
  readonly begun: { readonly start: number; readonly bytes: { readonly takenBytes: number } }[];
}

export function newTransfer(): Transfer {
  return { isHandedOver: false, begun: [] };
}

/** The bytes of the file that were handed to the connection so far. */
export function sentRanges({ begun }: Transfer): ByteRange[] {
  return begun
    .filter(({ bytes }) => bytes.takenBytes > 0)
    .map(({ start, bytes }) => ({ start, end: start + bytes.takenBytes - 1 }));
}
