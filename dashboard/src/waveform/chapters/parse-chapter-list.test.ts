import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseChapterList } from './parse-chapter-list.ts';

const read = (text: string) =>
  parseChapterList(text).chapters.map(({ start_seconds, title, link_url }) =>
    link_url === null ? [start_seconds, title] : [start_seconds, title, link_url],
  );

describe('parseChapterList', () => {
  it.each([
    ['00:01:20 A title', [80, 'A title']],
    ['1:20 – A title', [80, 'A title']],
    ['[1:20] A title', [80, 'A title']],
    ['(01:02:03.5) A title', [3723.5, 'A title']],
    ['A title (1:20)', [80, 'A title']],
    ['A title - 1:20', [80, 'A title']],
    ['1984, a novel 62:03', [3723, '1984, a novel']],
    ['0:00 2001: A Space Odyssey', [0, '2001: A Space Odyssey']],
    [
      '00:05:00.250 Links <https://example.com/a?b=c>',
      [300.25, 'Links', 'https://example.com/a?b=c'],
    ],
    ['٠', undefined],
    ['A title', undefined],
    ['1:20', undefined],
    ['1:75 A title', undefined],
  ])('%s', (line, expected) => {
    const { chapters, others } = parseChapterList(`\n  ${line}  \r\n`);
    expect(read(line)).toEqual(expected === undefined ? [] : [expected]);
    expect([chapters.length, others.length]).toEqual(expected === undefined ? [0, 1] : [1, 0]);
  });

  it('accepts any text, and reads each line once', () => {
    const pieces = fc.constantFrom(
      '0:1',
      ':',
      '(',
      ')',
      ' ',
      '-',
      '<',
      'https://x',
      '>',
      '12',
      'a',
    );
    const lines = fc.array(fc.array(pieces, { maxLength: 12 }).map((all) => all.join('')));
    fc.assert(
      fc.property(lines, (all) => {
        const { chapters, others } = parseChapterList(all.join('\n'));
        const filled = all.filter((line) => line.trim() !== '');
        expect(chapters.length + others.length).toBe(filled.length);
      }),
    );
  });
});
