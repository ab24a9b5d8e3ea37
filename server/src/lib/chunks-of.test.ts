import { expect, it } from 'vitest';
import { chunksOf } from './chunks-of.ts';

it.each([
  [[], []],
  [[1], [[1]]],
  [[1, 2], [[1, 2]]],
  [
    [1, 2, 3],
    [[1, 2], [3]],
  ],
])('%j is taken apart', (items, chunks) => {
  expect([...chunksOf(items, 2)]).toEqual(chunks);
});
