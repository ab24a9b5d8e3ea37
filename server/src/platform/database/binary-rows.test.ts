import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BinaryRows } from './binary-rows.ts';
import { UnfitValueError } from './binary-values.ts';

const headBytes = 19;

/** What is written of one value, without the head and the end of all rows. */
function bytesOf(write: (rows: BinaryRows) => void): Buffer {
  const rows = new BinaryRows();
  write(rows);
  return rows.finish().subarray(headBytes, -2);
}

const id = '0199b1c2-00ab-7000-8000-0123456789ab';
const ofId = Buffer.from('000000100199b1c200ab700080000123456789ab', 'hex');

describe('identifiers and hashes', () => {
  it.each([id, id.toUpperCase(), id.replaceAll('-', ''), `-${id.replaceAll('-', '')}-`])(
    'writes %s',
    (text) => {
      expect(bytesOf((rows) => rows.uuid(text))).toEqual(ofId);
    },
  );

  it('writes any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const digits = Buffer.from(bytes).toString('hex');
        const written = bytesOf((rows) => rows.hex(digits, bytes.length));
        expect(written.readInt32BE()).toBe(bytes.length);
        expect(written.subarray(4)).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it.each(['', '12', '1234567', '12345x', '12345 ', '12345\u0130', '12345\u0431'])(
    'refuses %j as three bytes',
    (digits) => {
      expect(() => new BinaryRows().hex(digits, 3)).toThrow(UnfitValueError);
    },
  );

  it.each([
    '',
    'one',
    id.slice(1),
    `${id}0`,
    id.replace('0199', '-199'),
    id.replace('ab-', 'abc'),
    id.replace('0199', '019x'),
    id.replace('-', '\u012d'),
  ])('refuses %j as an identifier', (text) => {
    expect(() => new BinaryRows().uuid(text)).toThrow(UnfitValueError);
  });
});

describe('numbers and moments', () => {
  it('refuses numbers that do not fit', () => {
    for (const value of [2 ** 31, 1.5, Number.NaN])
      expect(() => new BinaryRows().int4(value)).toThrow(UnfitValueError);
    for (const value of [1e300, 2 ** 53, 1.5])
      expect(() => new BinaryRows().int8(value)).toThrow(UnfitValueError);
    const range = { start: 0, end: 1e300 };
    expect(() => new BinaryRows().multirange([range])).toThrow(UnfitValueError);
  });

  it('writes any safe integer', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        expect(bytesOf((rows) => rows.int8(value)).readBigInt64BE(4)).toBe(BigInt(value));
      }),
    );
  });

  it('writes any moment in microseconds since 2000', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), (at) => {
        const micros = BigInt(at.getTime() - Date.UTC(2000, 0, 1)) * 1_000n;
        expect(bytesOf((rows) => rows.timestamp(at)).readBigInt64BE(4)).toBe(micros);
      }),
    );
  });

  it('refuses a moment that is none', () => {
    expect(() => new BinaryRows().timestamp(new Date(Number.NaN))).toThrow(UnfitValueError);
  });

  it('writes days in any order', () => {
    for (const [day, number] of [
      ['2000-01-01', 0],
      ['2026-03-10', 9565],
      ['2026-03-09', 9564],
      ['1999-12-31', -1],
    ] as const)
      expect(bytesOf((rows) => rows.date(day)).readInt32BE(4)).toBe(number);
  });
});

it('writes texts and rows of any length', () => {
  const texts = fc.array(fc.option(fc.string({ unit: 'grapheme', maxLength: 50_000 })));
  fc.assert(
    fc.property(texts, (written) => {
      const bytes = bytesOf((rows) => {
        for (const text of written) rows.text(text);
      });
      const expected = written.flatMap((text) => {
        const size = Buffer.alloc(4);
        size.writeInt32BE(text === null ? -1 : Buffer.byteLength(text));
        return [size, Buffer.from(text ?? '')];
      });
      expect(bytes.equals(Buffer.concat(expected))).toBe(true);
    }),
    { numRuns: 30 },
  );
});
