import { createHash, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { Sha256 } from './sha256.ts';

const expected = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

it.each([0, 1, 54, 55, 56, 63, 64, 65, 119, 120, 128, 1_000, 70_001])('hashes %d bytes', (size) => {
  const bytes = randomBytes(size);
  const hash = new Sha256();
  hash.update(bytes);
  expect(hash.digest()).toBe(expected(bytes));
});

it('hashes pieces of any length', () => {
  const bytes = randomBytes(100_000);
  const hash = new Sha256();
  for (let at = 0, step = 1; at < bytes.length; at += step, step = (step * 7 + 3) % 997) {
    hash.update(bytes.subarray(at, at + step));
  }
  expect(hash.digest()).toBe(expected(bytes));
});
