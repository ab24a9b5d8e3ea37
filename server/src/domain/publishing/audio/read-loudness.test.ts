import { Readable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { createReadingContext } from '../../../../test/create-reading-context.ts';
import { makeTone } from './make-tone.ts';
import { readLoudness } from './read-sound.ts';

const ctx = createReadingContext();
afterAll(() => ctx[Symbol.asyncDispose]());
const forever = new AbortController().signal;
const tenSeconds = { durationSeconds: 10, parts: 10 };
const tone = async () => Buffer.concat(await makeTone(10).toArray());

/** Pieces that end in the middle of frames. */
const inPieces = (bytes: Buffer) => {
  const pieces = Array.from({ length: Math.ceil(bytes.length / 1001) }, (_, index) =>
    bytes.subarray(index * 1001, index * 1001 + 1001),
  );
  return Readable.from(pieces, { objectMode: false });
};

const toneFile = async () => {
  const bytes = await tone();
  return () => inPieces(bytes);
};

describe('readLoudness', () => {
  it('reads a steady tone as steady, in pieces of any size', async () => {
    const peaks = (await readLoudness(ctx, await toneFile(), tenSeconds, forever)) ?? [];
    expect(peaks).toHaveLength(10);
    for (const peak of peaks) expect(peak).toBeGreaterThan(240);
  });

  it('reads damaged frames as silence, and the rest at its place', async () => {
    const bytes = await tone();
    bytes.fill(0, 16_000, 24_000);
    const peaks = await readLoudness(
      ctx,
      () => inPieces(bytes),
      { durationSeconds: 10, parts: 5 },
      forever,
    );
    expect([...(peaks ?? [])].filter((peak) => peak > 200).length).toBeGreaterThanOrEqual(3);
  });

  it('finds nothing in a file that is not audio', async () => {
    for (const bytes of [Buffer.alloc(0), Buffer.alloc(200_000), Buffer.from('x'.repeat(9999))]) {
      const found = await readLoudness(ctx, () => Readable.from([bytes]), tenSeconds, forever);
      expect(found).toBeUndefined();
    }
  });

  it('ends when it is aborted, also while it waits for data', async () => {
    const silent = new Readable({ read: () => undefined });
    const told = readLoudness(ctx, () => silent, tenSeconds, AbortSignal.timeout(50));
    await expect(told).rejects.toThrow();
    expect(silent.destroyed).toBe(true);
  });

  it('passes on an error of reading', async () => {
    const broken = Readable.from(
      (async function* () {
        yield await tone();
        throw new Error('the store is away');
      })(),
    );
    await expect(readLoudness(ctx, () => broken, tenSeconds, forever)).rejects.toThrow(
      'the store is away',
    );
  });
});
