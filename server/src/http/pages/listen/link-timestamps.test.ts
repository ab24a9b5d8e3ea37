import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptableGrowth, measureGrowth } from '../../../../test/growth.ts';
import { linkTimestamps } from './link-timestamps.ts';

const link = (seconds: number, text: string) =>
  `<a href="#t=${seconds}" data-t="${seconds}">${text}</a>`;
const anHourMs = 3_600_000;

describe('linkTimestamps', () => {
  it.each([
    ['<li>0:00 Opening</li>', `<li>${link(0, '0:00')} Opening</li>`],
    ['(12:05) and [59:59]', `(${link(725, '12:05')}) and [${link(3599, '59:59')}]`],
    ['01:30–02:00', `${link(90, '01:30')}–${link(120, '02:00')}`],
    ['0:12:05<br />1:00', `${link(725, '0:12:05')}<br />${link(60, '1:00')}`],
    ['00:00. Then', `${link(0, '00:00')}. Then`],
  ])('%s', (notes, linked) => {
    expect(linkTimestamps(notes, anHourMs)).toBe(linked);
  });

  it.each([
    '<a href="https://example.com/" rel="nofollow">at 12:05</a>',
    '<a href="https://example.com/"><b>12:05</b></a>',
    '<pre>12:05</pre><code>12:05</code>',
    '<img src="https://example.com/12:05.png" alt="12:05" />',
    'Ends at 1:00:00, behind it 61:00 and 2:03:04',
    '2026-03-01T12:05:00Z, 12:60, 1:5, ratio 16:9, 10:20:30:40, v1.12:05, 7:30 pm, 9:00 Uhr',
    'https://example.com/12:05',
  ])('leaves %s', (notes) => {
    expect(linkTimestamps(notes, anHourMs)).toBe(notes);
  });

  it('links every time if the duration is unknown', () => {
    expect(linkTimestamps('2:03:04', undefined)).toBe(link(7384, '2:03:04'));
  });

  it('links the first thousand', () => {
    const linked = linkTimestamps('1:00 '.repeat(1_001), undefined);
    expect(linked).toBe(`${`${link(60, '1:00')} `.repeat(1_000)}1:00 `);
  });

  it('never changes the text', () => {
    const anything = fc.string({ unit: fc.constantFrom(...'<>/a:0159 .pre"\n'), maxLength: 200 });
    fc.assert(
      fc.property(anything, (notes) => {
        const without = (text: string) =>
          text.replace(/<a href="#t=\d+" data-t="\d+">([^<]*)<\/a>/g, '$1');
        expect(without(linkTimestamps(notes, undefined))).toBe(without(notes));
      }),
    );
  });

  it.each(['<', '<a>', '1:', '12:05', '0:00:', ' ', '<a', '9', '<b>1:00</b>'])(
    'takes linear time for %j',
    (piece) => {
      const growth = measureGrowth((n) => linkTimestamps(piece.repeat(n), undefined));
      expect(growth).toBeLessThan(acceptableGrowth);
    },
  );
});
