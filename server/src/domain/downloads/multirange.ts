import type { ByteRange } from '../../lib/byte-range.ts';

/** As PostgreSQL writes sets of ranges: `{[0,10),[20,30)}`. These do not include their ends. */
export function writeMultirange(ranges: readonly ByteRange[]): string {
  return `{${ranges.map(({ start, end }) => `[${start},${end + 1})`).join(',')}}`;
}

export function parseMultirange(text: string): ByteRange[] {
  return [...text.matchAll(/\[(\d+),(\d+)\)/g)].map(([, start, end]) => ({
    start: Number(start),
    end: Number(end) - 1,
  }));
}
