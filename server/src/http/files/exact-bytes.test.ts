import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { DamagedFileError, exactBytes } from './exact-bytes.ts';

const bytes = (...sizes: number[]) => Readable.from(sizes.map((size) => Buffer.alloc(size, 1)));

it.each([
  [[], 0],
  [[10], 10],
  [[4, 6], 10],
])('passes chunks of %j bytes if %i are expected', async (sizes, expected) => {
  const passed = await exactBytes(bytes(...sizes), expected, 'k').toArray();
  expect(Buffer.concat(passed)).toHaveLength(expected);
});

it.each([
  [[], 10, 'the stored file k is damaged: 10 of 10 bytes are missing'],
  [[4, 5], 10, 'the stored file k is damaged: 1 of 10 bytes are missing'],
  [[4, 7], 10, 'the stored file k is damaged: it continues after 10 bytes'],
])('fails for chunks of %j bytes if %i are expected', async (sizes, expected, words) => {
  const passed = exactBytes(bytes(...sizes), expected, 'k').toArray();
  await expect(passed).rejects.toThrow(DamagedFileError);
  await expect(exactBytes(bytes(...sizes), expected, 'k').toArray()).rejects.toHaveProperty(
    'cause.message',
    words,
  );
});

it('propagates errors in both directions', async () => {
  const broken = new Readable({ read: () => undefined });
  const passed = exactBytes(broken, 10, 'k').toArray();
  broken.destroy(new Error('the disk went away'));
  await expect(passed).rejects.toThrow('the disk went away');
  const endless = new Readable({ read: () => undefined });
  const left = exactBytes(endless, 10, 'k');
  left.destroy();
  await expect.poll(() => endless.destroyed).toBe(true);
});
