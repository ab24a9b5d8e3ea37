import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readChapterList } from './chapter-list.ts';

const read = (text: string) =>
  readChapterList(text).chapters.map(({ startMs, title, linkUrl }) =>
    linkUrl === undefined ? [startMs, title] : [startMs, title, linkUrl],
  );

const horn = 'https://example.com/horn';

describe('readChapterList', () => {
  it.each<[string, (number | string)[] | undefined]>([
    ['00:01:20 A title', [80_000, 'A title']],
    ['1:20 – A title', [80_000, 'A title']],
    ['[1:20] A title', [80_000, 'A title']],
    ['(01:02:03.5) A title', [3_723_500, 'A title']],
    ['A title (1:20)', [80_000, 'A title']],
    ['A title - 1:20', [80_000, 'A title']],
    ['1984, a novel 62:03', [3_723_000, '1984, a novel']],
    ['0:00 2001: A Space Odyssey', [0, '2001: A Space Odyssey']],
    ['00:00:14.000 Willkommen', [14_000, 'Willkommen']],
    ['• 30:00 Topic', [1_800_000, 'Topic']],
    ['- 1:04:14 End', [3_854_000, 'End']],
    ['* 1:04 End', [64_000, 'End']],
    ['3. 1:04 End', [64_000, 'End']],
    ['**1:04** End', [64_000, 'End']],
    ['- End - 1:04', [64_000, 'End']],
    [
      '00:05:00.250 Links <https://example.com/a?b=c>',
      [300_250, 'Links', 'https://example.com/a?b=c'],
    ],
    [`1:04 The fog horn ${horn}`, [64_000, 'The fog horn', horn]],
    [`1:04 The fog horn (${horn})`, [64_000, 'The fog horn', horn]],
    [`1:04 The fog horn – ${horn}.`, [64_000, 'The fog horn', horn]],
    [`• 1:04 [The fog horn](${horn})`, [64_000, 'The fog horn', horn]],
    [`The fog horn ${horn} 1:04`, [64_000, 'The fog horn', horn]],
    [`1:04 ${horn}`, [64_000, '', horn]],
    [
      '1:04 Wiki https://example.com/Horn_(fog)',
      [64_000, 'Wiki', 'https://example.com/Horn_(fog)'],
    ],
    ['٠', undefined],
    ['A title', undefined],
    ['1:20', undefined],
    ['1:75 A title', undefined],
    [`see ${horn}`, undefined],
  ])('%s', (line, expected) => {
    const { chapters, others } = readChapterList(`\n  ${line}  \r\n`);
    expect(read(line)).toEqual(expected === undefined ? [] : [expected]);
    expect([chapters.length, others.length]).toEqual(expected === undefined ? [0, 1] : [1, 0]);
  });

  it('accepts any text, and reads each line once', () => {
    const pieces = fc.constantFrom(
      '0:1',
      ':',
      '(',
      ')',
      '[',
      '](',
      ' ',
      '-',
      '• ',
      '**',
      '<',
      'https://x',
      '>',
      '12',
      'a',
    );
    // The first address is the link; a second one stays in the title.
    const line = fc
      .array(pieces, { maxLength: 12 })
      .map((all) => all.join(''))
      .filter((text) => text.split('https').length <= 2);
    const lines = fc.array(line);
    fc.assert(
      fc.property(lines, (all) => {
        const { chapters, others } = readChapterList(all.join('\n'));
        const filled = all.filter((line) => line.trim() !== '');
        expect(chapters.length + others.length).toBe(filled.length);
        for (const { title } of chapters) expect(title).not.toMatch(/https?:\/\/x(?: |$)/);
      }),
    );
  });
});
