import { expect, it } from 'vitest';
import { findNul } from './schema-errors.ts';

it('finds a NUL character in a nested text', () => {
  expect(findNul({ a: 'fine', b: [{ c: 'x' }, { c: 'x\0' }] })).toEqual(['b', '1', 'c']);
  expect(findNul({ a: ['fine', null, 1, true] })).toBeUndefined();
});

it('searches JSON of any depth', () => {
  const depth = 100_000;
  const deep = JSON.parse(`${'['.repeat(depth)}"\\u0000"${']'.repeat(depth)}`);
  expect(findNul(deep)).toHaveLength(depth);
});
