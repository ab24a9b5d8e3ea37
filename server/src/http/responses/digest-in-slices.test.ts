import { createHash, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { digestInSlices } from './digest-in-slices.ts';

const mega = 1024 * 1024;

it.each([[[]], [[0]], [[10]], [[mega]], [[mega + 1]], [[5, 3 * mega, 0, 7]]])(
  'pieces of %j bytes have the hash of the whole',
  async (sizes: number[]) => {
    const pieces = sizes.map((size) => randomBytes(size));
    const whole = createHash('sha256').update(Buffer.concat(pieces)).digest('base64url');
    expect(await digestInSlices(pieces)).toBe(whole);
  },
);

it('other tasks run after each megabyte', async () => {
  let turns = 0;
  let done = false;
  const count = () => {
    turns += 1;
    if (!done) setImmediate(count);
  };
  setImmediate(count);
  await digestInSlices(Array.from({ length: 10 }, () => Buffer.alloc(mega)));
  done = true;
  expect(turns).toBeGreaterThanOrEqual(9);
});
