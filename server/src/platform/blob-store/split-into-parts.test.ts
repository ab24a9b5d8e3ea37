import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { splitIntoParts } from './split-into-parts.ts';

async function partsOf(chunks: readonly string[], partBytes: number): Promise<string[]> {
  const parts: string[] = [];
  const body = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
  for await (const part of splitIntoParts(body, partBytes)) parts.push(part.toString());
  return parts;
}

describe('splitIntoParts', () => {
  it.each([
    { chunks: [], parts: [] },
    { chunks: ['a'], parts: ['a'] },
    { chunks: ['abcd'], parts: ['abcd'] },
    { chunks: ['ab', 'cd'], parts: ['abcd'] },
    { chunks: ['ab', 'cde'], parts: ['abcd', 'e'] },
    { chunks: ['abcdefghij'], parts: ['abcd', 'efgh', 'ij'] },
    { chunks: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'], parts: ['abcd', 'efgh'] },
    { chunks: ['abc', 'defghijkl', 'm'], parts: ['abcd', 'efgh', 'ijkl', 'm'] },
  ])('$chunks in fours', async ({ chunks, parts }) => {
    expect(await partsOf(chunks, 4)).toEqual(parts);
  });

  it('destroys a body it does not finish', async () => {
    const body = Readable.from([Buffer.from('abcdef'), Buffer.from('gh')]);
    for await (const _part of splitIntoParts(body, 4)) break;
    expect(body.destroyed).toBe(true);
  });
});
