import { type ByteRange, parseByteRange } from '../../../../lib/byte-range.ts';
import type { LogLine } from './log-line.ts';

export interface Delivered {
  /** By its place in the file; if the place is unknown, as if from the first byte on. */
  readonly sent: readonly ByteRange[];
  /** False: the log tells only the number of bytes. */
  readonly isPlaceKnown: boolean;
}

/** The header of each part of a multipart response: some 200 bytes with a long boundary. */
const maxPartHeadBytes = 256;

/** The bytes that a line proves to be sent, never more. */
export function deliveredRanges(
  { method, status, bodyBytes, range }: LogLine,
  { sizeBytes }: { readonly sizeBytes: number },
): Delivered {
  const fromStart = cut({ start: 0, end: sizeBytes - 1 }, bodyBytes);
  if (method !== 'GET' || (status !== 200 && status !== 206)) return known([]);
  if (status === 200) return known(fromStart);
  const selection = parseByteRange(range, sizeBytes);
  // A server that merged or left out ranges may have sent others than these, in another order.
  const requested = range?.split(',').length;
  if (selection.kind !== 'ranges' || selection.ranges.length !== requested) {
    return { sent: fromStart, isPlaceKnown: false };
  }
  const [only, ...more] = selection.ranges;
  if (only !== undefined && more.length === 0) return known(cut(only, bodyBytes));
  return known(cutParts(selection.ranges, bodyBytes));
}

const known = (sent: readonly ByteRange[]): Delivered => ({ sent, isPlaceKnown: true });

/** The first `bytes` of the range. */
function cut({ start, end }: ByteRange, bytes: number): ByteRange[] {
  const last = Math.min(end, start + bytes - 1);
  return last < start ? [] : [{ start, end: last }];
}

/** Parts are sent one after another, each after its header. */
function cutParts(parts: readonly ByteRange[], bodyBytes: number): ByteRange[] {
  let left = bodyBytes;
  return parts.flatMap((part) => {
    left -= maxPartHeadBytes;
    const sent = cut(part, Math.max(0, left));
    left -= part.end - part.start + 1;
    return sent;
  });
}
