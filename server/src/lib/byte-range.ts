/** Positions of the first and the last byte, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The sum of their lengths. */
export function countBytes(ranges: readonly ByteRange[]): number {
  return ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0);
}

export type RangeSelection =
  | { readonly kind: 'whole' }
  | { readonly kind: 'ranges'; readonly ranges: readonly ByteRange[] }
  | { readonly kind: 'unsatisfiable' };

const WHOLE: RangeSelection = { kind: 'whole' };
const UNSATISFIABLE: RangeSelection = { kind: 'unsatisfiable' };
/**
 * Players need two or three ranges at most; a request with more counts as having none. Each takes ten times the
 * processor time of a request for one.
 */
const MAX_RANGES = 4;
const MAX_HEADER_CHARS = 1024;

/**
 * Parses a Range header for a representation of `sizeBytes` (RFC 9110 §14). A malformed header,
 * another unit or an excessive number of ranges is ignored, so the whole is sent. Ranges that touch
 * or overlap are merged, so the parts never exceed the whole; the others keep their order. An empty
 * representation has no ranges.
 */
export function parseByteRange(header: string | undefined, sizeBytes: number): RangeSelection {
  if (header === undefined || sizeBytes === 0) return WHOLE;
  // Nearly all requests have this form.
  const [, first = '', last = ''] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(header) ?? [];
  if (first !== '') return readOne(Number(first), Number(last), sizeBytes);
  if (header.length > MAX_HEADER_CHARS || !/^bytes=/i.test(header)) return WHOLE;
  const specs = header
    .slice('bytes='.length)
    .split(',')
    .map((spec) => spec.trim())
    .filter((spec) => spec !== '');
  if (specs.length === 0 || specs.length > MAX_RANGES) return WHOLE;

  const ranges: ByteRange[] = [];
  for (const spec of specs) {
    const range = readSpec(spec, sizeBytes);
    if (range === 'malformed') return WHOLE;
    if (range !== 'unsatisfiable') ranges.push(range);
  }
  return ranges.length === 0 ? UNSATISFIABLE : { kind: 'ranges', ranges: coalesce(ranges) };
}

function readOne(start: number, last: number, sizeBytes: number): RangeSelection {
  if (last < start) return WHOLE;
  if (start >= sizeBytes) return UNSATISFIABLE;
  return { kind: 'ranges', ranges: [{ start, end: Math.min(last, sizeBytes - 1) }] };
}

/** The value of Content-Range; without a range, the form for a 416. */
export function formatContentRange(range: ByteRange | undefined, sizeBytes: number): string {
  return range === undefined
    ? `bytes */${sizeBytes}`
    : `bytes ${range.start}-${range.end}/${sizeBytes}`;
}

function readSpec(spec: string, sizeBytes: number): ByteRange | 'malformed' | 'unsatisfiable' {
  const match = /^(\d*)-(\d*)$/.exec(spec);
  const [, first = '', last = ''] = match ?? [];
  if (first === '' && last === '') return 'malformed';
  // Absurdly long numbers become imprecise or infinite, which still compares correctly.
  if (first === '') {
    const length = Number(last);
    if (length === 0) return 'unsatisfiable';
    return { start: Math.max(0, sizeBytes - length), end: sizeBytes - 1 };
  }
  const start = Number(first);
  const end = last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (last !== '' && Number(last) < start) return 'malformed';
  return start >= sizeBytes ? 'unsatisfiable' : { start, end };
}

/** A merged range takes the place of its first member. */
function coalesce(ranges: readonly ByteRange[]): readonly ByteRange[] {
  if (ranges.length === 1) return ranges;
  const ordered = ranges
    .map((range, position) => ({ ...range, position }))
    .sort((one, other) => one.start - other.start);
  const merged: { start: number; end: number; position: number }[] = [];
  for (const range of ordered) {
    const previous = merged.at(-1);
    if (previous === undefined || range.start > previous.end + 1) {
      merged.push(range);
      continue;
    }
    previous.end = Math.max(previous.end, range.end);
    previous.position = Math.min(previous.position, range.position);
  }
  merged.sort((one, other) => one.position - other.position);
  return merged.map(({ start, end }) => ({ start, end }));
}
