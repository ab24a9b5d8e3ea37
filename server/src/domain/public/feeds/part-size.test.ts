import { expect, it } from 'vitest';
import { firstPartSize, nextPartSize } from './part-size.ts';

it('gives many short items or few long ones', () => {
  expect(nextPartSize(firstPartSize, 20_000)).toBe(40);
  expect(nextPartSize(40, 80_000)).toBe(100);
  expect(nextPartSize(100, 10_000_000)).toBe(2);
  expect(nextPartSize(2, 2_000_000)).toBe(1);
  expect(nextPartSize(1, 1_000)).toBe(4);
});
