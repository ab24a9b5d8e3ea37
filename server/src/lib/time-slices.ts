import { setImmediate } from 'node:timers/promises';

const sliceMs = 5;
const runLength = 4_000;

/** Await it in a loop: it yields to other tasks after every 5 ms of work. */
export type MaybeYield = () => Promise<void> | undefined;

export function createYielder(): MaybeYield {
  let begunAtMs = performance.now();
  return () => {
    if (performance.now() - begunAtMs < sliceMs) return undefined;
    return setImmediate().then(() => {
      begunAtMs = performance.now();
    });
  };
}

/** `map`, that yields to other tasks. */
export async function mapInSlices<T, U>(list: readonly T[], map: (item: T) => U): Promise<U[]> {
  const maybeYield = createYielder();
  const mapped: U[] = [];
  for (const item of list) {
    mapped.push(map(item));
    await maybeYield();
  }
  return mapped;
}

/** `toSorted`, stable too, that yields to other tasks. */
export async function sortInSlices<T>(
  list: readonly T[],
  compare: (one: T, other: T) => number,
): Promise<T[]> {
  const maybeYield = createYielder();
  let runs: T[][] = [];
  for (let at = 0; at < list.length; at += runLength) {
    runs.push(list.slice(at, at + runLength).sort(compare));
    await maybeYield();
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], compare, maybeYield));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<T>(
  before: readonly T[],
  after: readonly T[],
  compare: (one: T, other: T) => number,
  maybeYield: MaybeYield,
): Promise<T[]> {
  const merged: T[] = [];
  let taken = 0;
  for (const one of before) {
    for (; taken < after.length; taken += 1) {
      const other = after[taken] as T;
      if (compare(one, other) <= 0) break;
      merged.push(other);
      await maybeYield();
    }
    merged.push(one);
    await maybeYield();
  }
  for (const other of after.slice(taken)) merged.push(other);
  return merged;
}
