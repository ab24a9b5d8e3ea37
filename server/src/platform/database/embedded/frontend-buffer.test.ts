import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FrontendBuffer, STARTUP } from './frontend-buffer.ts';

const startup = withLength(Buffer.from('\0\x03\0\0user\0postgres\0\0', 'latin1'));
const query = message('Q', 'select 1\0');
const extended = [message('P', 'p'), message('B', 'b'), message('E', 'e'), message('S', '')];
const copy = [
  message('Q', 'copy things from stdin (format binary)\0'),
  message('d', 'rows'),
  message('c', ''),
];
const terminate = message('X', '');

describe('FrontendBuffer', () => {
  test('splits at the messages that the server acts upon', () => {
    const units = new FrontendBuffer().push(
      Buffer.concat([startup, query, ...extended, terminate]),
    );
    expect(units).toEqual([
      { bytes: startup, last: STARTUP },
      { bytes: query, last: 'Q' },
      { bytes: Buffer.concat(extended), last: 'S' },
      { bytes: terminate, last: 'X' },
    ]);
  });

  test('keeps an incomplete unit until its end arrives', () => {
    const buffer = new FrontendBuffer();
    buffer.push(startup);
    expect(buffer.push(extended[0]!)).toEqual([]);
    expect(buffer.push(extended[3]!)).toEqual([
      { bytes: Buffer.concat([extended[0]!, extended[3]!]), last: 'S' },
    ]);
  });

  test('keeps a COPY and its rows together', () => {
    const buffer = new FrontendBuffer();
    buffer.push(startup);
    expect(buffer.push(copy[0]!)).toEqual([]);
    expect(buffer.push(Buffer.concat([copy[1]!, copy[2]!, query]))).toEqual([
      { bytes: Buffer.concat(copy), last: 'c' },
      { bytes: query, last: 'Q' },
    ]);
  });

  test('gives the same units for chunks of any size', () => {
    const all = Buffer.concat([startup, query, ...extended, ...copy, query, terminate]);
    const whole = new FrontendBuffer().push(all).map(({ bytes, last }) => [`${bytes}`, last]);
    fc.assert(
      fc.property(fc.array(fc.nat(all.length)), (cuts) => {
        const buffer = new FrontendBuffer();
        const ends = [...cuts.sort((a, b) => a - b), all.length];
        const units = ends.flatMap((end, i) => buffer.push(all.subarray(ends[i - 1] ?? 0, end)));
        expect(units.map(({ bytes, last }) => [`${bytes}`, last])).toEqual(whole);
      }),
    );
  });
});

function message(type: string, body: string): Buffer {
  return Buffer.concat([Buffer.from(type), withLength(Buffer.from(body))]);
}

function withLength(body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length + 4);
  return Buffer.concat([length, body]);
}
