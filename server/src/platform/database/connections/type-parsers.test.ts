import fc from 'fast-check';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { typeParsers } from './type-parsers.ts';

const timestamptz = 1184;
const own = typeParsers.getTypeParser(timestamptz, 'text') as (text: string) => unknown;
const byPg = pg.types.getTypeParser(timestamptz, 'text') as (text: string) => unknown;

describe('timestamps', () => {
  it('timestamps have the value that pg gives them, with every number of digits', () => {
    const date = fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    });
    const digits = fc.stringMatching(/^[0-9]{0,6}$/);
    fc.assert(
      fc.property(date, digits, (at, fraction) => {
        const seconds = at.toISOString().slice(0, 19).replace('T', ' ');
        const text = `${seconds}${fraction === '' ? '' : `.${fraction}`}+00`;
        expect(own(text)).toEqual(byPg(text));
      }),
    );
  });

  it.each([
    'infinity',
    '-infinity',
    '0044-03-15 12:00:00+00 BC',
    '12026-01-02 03:04:05+00',
    '2026-01-02 03:04:05+05:30',
    '2026-01-02 03:04:05.5-08',
    '1800-01-02 03:04:05+00:53:28',
  ])('timestamps of other forms are left to pg: %s', (text) => {
    expect(own(text)).toEqual(byPg(text));
  });
});
