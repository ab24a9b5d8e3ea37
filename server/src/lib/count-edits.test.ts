import { expect, it } from 'vitest';
import { countEdits } from './count-edits.ts';

it.each([
  ['', '', 0],
  ['science', 'science', 0],
  ['sience', 'science', 1],
  ['scienec', 'science', 1],
  ['scienze', 'science', 1],
  ['arts', 'science', 7],
  ['', 'abc', 3],
])('%j and %j differ by %i edits', (from, to, count) => {
  expect(countEdits(from, to)).toBe(count);
  expect(countEdits(to, from)).toBe(count);
});
