import { Readable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { createReadingContext } from '../../../../test/create-reading-context.ts';
import { silentFrames, soundFrameMs, soundFrames } from '../../../../test/make-sound.ts';
import { alignFiles } from './compare-recordings.ts';

const ctx = createReadingContext();
afterAll(() => ctx[Symbol.asyncDispose]());
const forever = new AbortController().signal;
const recording = soundFrames(1, 90);
const at = (seconds: number) => Math.round((seconds * 1000) / soundFrameMs);
const part = (from: number, to?: number) => recording.slice(at(from), to && at(to));

/** Pieces that end in the middle of frames. */
function source(frames: readonly Buffer[]) {
  const bytes = Buffer.concat(frames);
  return () => {
    const pieces = Array.from({ length: Math.ceil(bytes.length / 10_001) }, (_, index) =>
      bytes.subarray(index * 10_001, index * 10_001 + 10_001),
    );
    return Readable.from(pieces, { objectMode: false });
  };
}

const points = { durationSeconds: 100, parts: 50 };
const align = (fresh: readonly Buffer[]) =>
  alignFiles(ctx, { old: source(recording), fresh: source(fresh) }, points, forever);

describe('alignFiles', () => {
  it('finds the parts of an edited MP3 to within 50 ms', async () => {
    const louder = soundFrames(1, 90, 4);
    const edited = [
      ...soundFrames(2, 12),
      ...part(0, 30),
      ...part(36, 60),
      ...silentFrames(3),
      ...louder.slice(at(60)),
    ];
    const { parts = [], peaks } = await align(edited);
    expect(peaks).toHaveLength(50);
    expect(parts).toHaveLength(3);
    const expected = [
      [0, 30, 12],
      [36, 60, 42],
      [60, 90, 69],
    ];
    for (const [index, [start = 0, end = 0, moved = 0]] of expected.entries()) {
      const { oldStartMs, oldEndMs, newStartMs } = parts[index]!;
      expect(Math.abs(newStartMs - oldStartMs - (moved - start) * 1000)).toBeLessThan(50);
      expect(Math.abs(oldStartMs - start * 1000)).toBeLessThan(300);
      expect(Math.abs(oldEndMs - end * 1000)).toBeLessThan(300);
    }
  });

  it('refuses another recording, silence, and other files', async () => {
    expect((await align(soundFrames(3, 90))).parts).toBeUndefined();
    expect((await align(silentFrames(90))).parts).toBeUndefined();
    const nothing = { parts: undefined, peaks: undefined };
    expect(await align([Buffer.alloc(50_000, 7)])).toEqual(nothing);
    expect(await align([])).toEqual(nothing);
  });

  it('ends when it is aborted, and passes on an error of reading', async () => {
    const silent = new Readable({ read: () => undefined });
    const waiting = { old: source(recording), fresh: () => silent };
    const told = alignFiles(ctx, waiting, points, AbortSignal.timeout(50));
    await expect(told).rejects.toThrow();
    const broken = { old: () => Readable.from(fail()), fresh: source(recording) };
    await expect(alignFiles(ctx, broken, points, forever)).rejects.toThrow('store is away');
  });
});

async function* fail() {
  yield* recording.slice(0, 10);
  throw new Error('the store is away');
}
