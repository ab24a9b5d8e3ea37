import { describe, expect, it } from 'vitest';
import { createReadingContext } from '../../../../test/create-reading-context.ts';
import { CleanNotes } from './clean-notes.ts';

describe('CleanNotes', () => {
  it('CleanNotes has notes that sanitizing leaves as they are, and no others', async () => {
    const [clean, dirty] = ['<p>Hello</p>', '<p>Hello</p><script>alert(1)</script>'];
    await using ctx = createReadingContext();
    const notes = new CleanNotes();
    for (const html of [clean, dirty]) await notes.note(ctx, html);
    expect([clean, dirty, `${clean} `].map((html) => notes.has(html))).toEqual([
      ...[true, false, false],
    ]);
  });
});
