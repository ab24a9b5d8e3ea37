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

it.each([
  [[], []],
  [[1], [[1]]],
  [
    [5, 1],
    [[5], [1]],
  ],
  [
    [1, 2, 1, 4, 9, 1],
    [[1, 2, 1], [4], [9], [1]],
  ],
])('%j is taken apart by weight', (items, chunks) => {
  expect([...chunksOf(items, 4, (item) => item)]).toEqual(chunks);
});
