import { expect, test } from 'vitest';
import { isReleaseSince } from './is-release-since.ts';

test.each([
  ['1.2.0', '1.2.0', true],
  ['1.10.0', '1.9.9', true],
  ['1.9.9', '1.10.0', false],
  ['2.0.0', '1.10.3', true],
  ['1.2.0-rc.1', '1.2.0', false],
  ['1.2.1-rc.1', '1.2.0', true],
  ['1.2.0+build-7', '1.2.0', true],
])('%s is the release %s or a newer one: %s', (version, release, expected) => {
  expect(isReleaseSince(version, release)).toBe(expected);
});
