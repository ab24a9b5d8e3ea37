import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createYielder, mapInSlices, sortInSlices } from './time-slices.ts';

describe('createYielder', () => {
  it('lets other tasks run', async () => {
    let others = 0;
    let isDone = false;
    const other = (async () => {
      for (; !isDone; others += 1) await setImmediate();
    })();
    const maybeYield = createYielder();
    const pauses = async () => {
      for (let paused = 0; paused < 5; ) {
        const pause = maybeYield();
        if (pause !== undefined) paused += 1;
        await pause;
      }
    };
    await pauses();
    isDone = true;
    await other;
    expect(others).toBeGreaterThanOrEqual(5);
  });
});

describe('mapInSlices', () => {
  it('maps as map does', async () => {
    expect(await mapInSlices([3, 1, 2], (number) => number * 2)).toEqual([6, 2, 4]);
  });
});

describe('sortInSlices', () => {
  it('sorts as toSorted does', async () => {
    const compare = (one: readonly number[], other: readonly number[]) =>
      (one[0] ?? 0) - (other[0] ?? 0);
    const numbers = fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 20_000 });
    await fc.assert(
      fc.asyncProperty(fc.noShrink(numbers), async (list) => {
        const told = list.map((number, at) => [number, at]);
        expect(await sortInSlices(told, compare)).toEqual(told.toSorted(compare));
      }),
      { numRuns: 20 },
    );
    const many = Array.from({ length: 30_001 }, (_, at) => [(at * 7_919) % 1_000, at]);
    expect(await sortInSlices(many, compare)).toEqual(many.toSorted(compare));
  });
});
