import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatContentRange, parseByteRange } from './byte-range.ts';

function read(header: string | undefined, size = 1000): string {
  const selection = parseByteRange(header, size);
  if (selection.kind !== 'ranges') return selection.kind;
  return selection.ranges.map(({ start, end }) => `${start}-${end}`).join(' ');
}

describe('parseByteRange', () => {
  it.each([
    ['bytes=0-0', '0-0'],
    ['bytes=0-1', '0-1'],
    ['bytes=0-', '0-999'],
    ['bytes=500-', '500-999'],
    ['bytes=999-', '999-999'],
    ['bytes=0-999', '0-999'],
    ['bytes=0-1000', '0-999'],
    ['bytes=990-99999999999999999999999', '990-999'],
    ['bytes=-1', '999-999'],
    ['bytes=-500', '500-999'],
    ['bytes=-5000', '0-999'],
    ['BYTES=0-1', '0-1'],
    ['bytes= 0-1', '0-1'],
    ['bytes=0-1 ,\t5-6', '0-1 5-6'],
    ['bytes=,0-1,,5-6,', '0-1 5-6'],
  ])('reads %s', (header, expected) => {
    expect(read(header)).toBe(expected);
  });

  it.each([
    ['apart, in the order asked for', 'bytes=500-599,0-9,900-', '500-599 0-9 900-999'],
    ['adjacent', 'bytes=0-9,10-19', '0-19'],
    ['adjacent, in reverse order', 'bytes=10-19,0-9', '0-19'],
    ['overlapping', 'bytes=0-99,50-149', '0-149'],
    ['one inside another', 'bytes=0-99,20-29', '0-99'],
    ['overlapping the suffix', 'bytes=800-950,-100', '800-999'],
    ['merged at the place of the first', 'bytes=500-509,0-9,505-520', '500-520 0-9'],
    ['the same again and again', 'bytes=0-,0-,0-,0-', '0-999'],
    ['one of them beyond the end', 'bytes=0-9,2000-3000', '0-9'],
  ])('takes several: %s', (_, header, expected) => {
    expect(read(header)).toBe(expected);
  });

  it.each([
    'bytes=1000-',
    'bytes=1000-1001',
    'bytes=-0',
    'bytes=-0,5000-',
    'bytes=99999999999999-',
  ])('parseByteRange cannot satisfy %s', (header) => {
    expect(read(header)).toBe('unsatisfiable');
  });

  it.each([
    undefined,
    '',
    'bytes',
    'bytes=',
    'bytes=,',
    'bytes=-',
    'bytes=a-b',
    'bytes=5-4',
    'bytes=0-1,5-4',
    'bytes=0-1,x',
    'bytes=0 - 1',
    'bytes=+0-1',
    'bytes=0--1',
    'bytes=0-1-2',
    'bytes=1.0-2',
    'bytes=0x0-0xf',
    'bytes=٠-١',
    'bytes =0-1',
    ' bytes=0-1',
    'items=0-1',
    '0-1',
  ])('ignores %s', (header) => {
    expect(read(header)).toBe('whole');
  });

  it('serves four ranges and ignores more', () => {
    const ranges = Array.from({ length: 5 }, (_, at) => `${at * 10}-${at * 10 + 1}`);
    expect(read(`bytes=${ranges.slice(0, 4).join(',')}`).split(' ')).toHaveLength(4);
    expect(read(`bytes=${ranges.join(',')}`)).toBe('whole');
    expect(read(`bytes=${'0-0,'.repeat(100_000)}`)).toBe('whole');
    expect(read(`bytes=${','.repeat(100_000)}0-0`)).toBe('whole');
  });

  it('sends an empty representation whole', () => {
    for (const header of ['bytes=0-', 'bytes=0-0', 'bytes=-1', 'bytes=5-']) {
      expect(read(header, 0)).toBe('whole');
    }
  });

  it('gives disjoint ranges that cover exactly the requested bytes', () => {
    const spec = fc.oneof(
      fc.tuple(fc.nat(60), fc.nat(60)).map(([from, more]) => `${from}-${from + more}`),
      fc.nat(60).map((from) => `${from}-`),
      fc.nat(60).map((length) => `-${length}`),
    );
    fc.assert(
      fc.property(
        fc.array(spec, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 50 }),
        (specs, size) => {
          const wanted = new Set<number>();
          for (const text of specs) {
            const [from = '', to = ''] = text.split('-');
            for (let at = 0; at < size; at++) {
              const inside =
                from === ''
                  ? at >= size - Number(to)
                  : at >= Number(from) && (to === '' || at <= Number(to));
              if (inside) wanted.add(at);
            }
          }
          const selection = parseByteRange(`bytes=${specs.join(',')}`, size);
          if (selection.kind !== 'ranges') {
            expect([selection.kind, wanted.size]).toEqual(['unsatisfiable', 0]);
            return;
          }
          const given = selection.ranges.flatMap(({ start, end }) =>
            Array.from({ length: end - start + 1 }, (_, offset) => start + offset),
          );
          expect([...given].sort((one, other) => one - other)).toEqual(
            [...wanted].sort((one, other) => one - other),
          );
          for (const { start, end } of selection.ranges) {
            expect(given.includes(start - 1) || given.includes(end + 1)).toBe(false);
          }
        },
      ),
    );
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), (text, size) => {
        const kinds = ['whole', 'ranges', 'unsatisfiable'];
        expect(kinds).toContain(parseByteRange(`bytes=${text}`, size).kind);
        expect(parseByteRange(text.replace(/^bytes=/i, ''), size).kind).toBe('whole');
      }),
    );
  });
});

describe('formatContentRange', () => {
  it('formats a range with its size, and a size alone', () => {
    expect(formatContentRange({ start: 0, end: 99 }, 1000)).toBe('bytes 0-99/1000');
    expect(formatContentRange(undefined, 1000)).toBe('bytes */1000');
  });
});
