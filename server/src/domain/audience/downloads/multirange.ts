import type { ByteRange } from '../../../lib/byte-range.ts';

/** PostgreSQL writes sets of ranges as `{[0,10),[20,30)}`. These do not include their ends. */
export function parseMultirange(text: string): ByteRange[] {
  return [...text.matchAll(/\[(\d+),(\d+)\)/g)].map(([, start, end]) => ({
    start: Number(start),
    end: Number(end) - 1,
  }));
}
