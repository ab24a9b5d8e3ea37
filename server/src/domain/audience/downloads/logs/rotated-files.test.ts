import { expect, it } from 'vitest';
import { isRotatedName } from './rotated-files.ts';

it.each([
  ['podstead.log.1', true],
  ['podstead.log.2.gz', true],
  ['podstead.log-20261122', true],
  ['podstead.log-20261122-1763769600.gz', true],
  ['podstead-20261122.log', true],
  ['podstead-20261122.log.gz', true],
  ['podstead.log.old', true],
  ['podstead.log', false],
  ['podstead.log.bak', false],
  ['podstead-api.log', false],
  ['podstead.error.log', false],
  ['other.log.1', false],
  ['podstead.log.1/x', false],
])('rotations of podstead.log are recognized: %s', (name, expected) => {
  expect(isRotatedName('podstead.log', name)).toBe(expected);
});
