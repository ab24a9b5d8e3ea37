import { describe, expect, it } from 'vitest';
import { isJsonDeeperThan } from './json-depth.ts';

describe('isJsonDeeperThan', () => {
  it.each([
    ['[[1],[2],{"a":3}]', 2],
    ['["[[[[", "\\"[[[", {"{{{":1}]', 2],
    ['"[["', 0],
  ])('%s is %i deep', (text, depth) => {
    expect(isJsonDeeperThan(text, depth)).toBe(false);
    if (depth > 0) expect(isJsonDeeperThan(text, depth - 1)).toBe(true);
  });
});
