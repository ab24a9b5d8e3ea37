import { expect, it } from 'vitest';
import { ByteCollector, collectBytes } from './byte-collector.ts';

it.each([
  [[]],
  [[0]],
  [[1, 4_095, 1]],
  [[4_096]],
  [[10_000, 1, 0, 90_000]],
  [Array(9_000).fill(1)],
])('bytes are collected from pieces of %j bytes', async (sizes: number[]) => {
  const pieces = sizes.map((size, n) => Buffer.alloc(size, n));
  const stream = (async function* () {
    yield* pieces;
  })();
  expect((await collectBytes(stream)).equals(Buffer.concat(pieces))).toBe(true);
});

it('bytes that are collected do not keep the memory of their pieces', () => {
  const collector = new ByteCollector();
  const piece = Buffer.from('a');
  for (const letter of 'text') {
    piece.write(letter);
    collector.add(piece);
  }
  expect([collector.length, collector.toBuffer().toString()]).toEqual([4, 'text']);
});
