import { describe, expect, it } from 'vitest';
import { maxShowNotesLength } from '../../../../lib/html/sanitize-show-notes.ts';
import { readFeedShowNotes, readPlainText } from './feed-texts.ts';

describe('a text that may be HTML or not', () => {
  it.each([
    ['<p>One</p><p>Two</p>', 'One\n\nTwo', '<p>One</p><p>Two</p>'],
    ['One\n\nTwo', 'One\n\nTwo', '<p>One</p>\n<p>Two</p>'],
    ['Tom &amp; Jerry', 'Tom & Jerry', 'Tom &amp; Jerry'],
    ['AT&T; 3 < 4, x>y', 'AT&T; 3 < 4, x>y', '<p>AT&amp;T; 3 &lt; 4, x&gt;y</p>'],
    ['<b>Hi</b><script>alert(1)</script>', 'Hi', '<b>Hi</b>'],
    [
      'See https://example.com/',
      'See https://example.com/',
      '<p>See <a href="https://example.com/" rel="nofollow noopener">https://example.com/</a></p>',
    ],
  ])('%s', (text, plain, notes) => {
    expect(readPlainText(text, 1000)).toBe(plain);
    expect(readFeedShowNotes(text)).toBe(notes);
  });

  it.each([
    ['plain', 'word '.repeat(300_000)],
    ['plain that escaping makes longer', '&<>'.repeat(300_000)],
    ['HTML', `<p>${'word '.repeat(300_000)}</p>`],
    ['HTML that sanitizing makes longer', '<a href="http://a.b/">x</a>'.repeat(40_000)],
    ['tags that never end', '<p'.repeat(300_000)],
  ])('a text that may be HTML or not is shortened if it is too long: %s', (_name, text) => {
    const notes = readFeedShowNotes(text);
    expect(notes.length).toBeLessThanOrEqual(maxShowNotesLength);
    expect(notes.length).toBeGreaterThan(1000);
  });
});
