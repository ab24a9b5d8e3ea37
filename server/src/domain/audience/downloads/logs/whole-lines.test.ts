import fc from 'fast-check';
import { expect, it } from 'vitest';
import { maxLineBytes } from './log-line.ts';
import { type Piece, splitLines, wholeLines } from './whole-lines.ts';

async function* chunks(texts: readonly string[]) {
  for (const text of texts) yield Buffer.from(text, 'latin1');
}
async function cut(texts: readonly string[]): Promise<Piece[]> {
  const pieces: Piece[] = [];
  for await (const piece of wholeLines(chunks(texts))) pieces.push(piece);
  return pieces;
}

it('gives the same lines for any chunks, and loses no byte', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\u00e9') });
  await fc.assert(
    fc.asyncProperty(fc.array(text), async (texts) => {
      const pieces = await cut(texts);
      const whole = texts.join('');
      expect(Buffer.concat(pieces.map(({ bytes }) => bytes)).toString('latin1')).toBe(whole);
      const lines = whole.split('\n');
      if (lines.at(-1) === '') lines.pop();
      expect(pieces.flatMap(splitLines)).toEqual(lines);
      expect(pieces.filter(({ isComplete }) => !isComplete).length).toBe(
        whole === '' || whole.endsWith('\n') ? 0 : 1,
      );
    }),
  );
});

it('takes the line ends of Windows too', async () => {
  expect((await cut(['a\r', '\nb\r\n'])).flatMap(splitLines)).toEqual(['a', 'b']);
});

it('keeps no line that never ends in memory', async () => {
  const pieces = await cut(Array.from({ length: 100 }, () => 'x'.repeat(30_000)));
  const longest = Math.max(...pieces.map(({ bytes }) => bytes.length));
  expect(longest).toBeLessThanOrEqual(maxLineBytes + 30_000);
});

it('a reader of whole lines does not use a part of a line that is too long', async () => {
  const long = 'x'.repeat(maxLineBytes);
  const pieces = await cut(['a\n', long, 'forged', long, 'forged', `${long}\nb\n`]);
  const lines = pieces.flatMap(splitLines);
  expect(lines.length).toBe(3);
  expect([lines[0], lines[2]]).toEqual(['a', 'b']);
});
