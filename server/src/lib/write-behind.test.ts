import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createWriteBehind,
  type WriteBehindOptions,
  type WriteBehindTrouble,
} from './write-behind.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** An entry is a list of the added numbers. Each write waits until the test calls `settle`. */
function open(options: Partial<WriteBehindOptions<readonly number[]>> = {}) {
  const troubles: WriteBehindTrouble[] = [];
  const written: (readonly number[])[] = [];
  const batches: (readonly (readonly number[])[])[] = [];
  const open: PromiseWithResolvers<void>[] = [];
  const queue = createWriteBehind<readonly number[]>({
    async write(batch) {
      const write = Promise.withResolvers<void>();
      open.push(write);
      expect(open).toHaveLength(1);
      batches.push(batch);
      await write.promise.finally(() => open.pop());
      written.push(...batch);
    },
    merge: (earlier, later) => [...earlier, ...later],
    maxBatch: 3,
    maxEntries: 5,
    everyMs: 1_000,
    maxAgeMs: 10_000,
    closeWithinMs: 2_000,
    report: (trouble) => troubles.push(trouble),
    ...options,
  });
  const settle = async (error?: Error) => {
    if (error === undefined) open[0]?.resolve();
    else open[0]?.reject(error);
    await vi.advanceTimersByTimeAsync(0);
  };
  const isWriting = () => open.length > 0;
  /** Disposes the queue and settles all its writes. */
  const end = async () => {
    const ended = queue[Symbol.asyncDispose]();
    await vi.advanceTimersByTimeAsync(0);
    while (isWriting()) await settle();
    await ended;
  };
  return { queue, troubles, written, batches, settle, isWriting, end };
}
const away = new Error('the database is away');

describe('an added entry', () => {
  it('an added entry is written after a while with the others, merged by key', async () => {
    const { queue, batches, settle } = open();
    queue.add('a', [1]);
    queue.add('b', [2]);
    queue.add('a', [3]);
    await vi.advanceTimersByTimeAsync(999);
    expect(batches).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(batches).toEqual([[[1, 3], [2]]]);
    await settle();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(batches).toHaveLength(1);
  });

  it('an added entry is written in batches, one after the other', async () => {
    const { queue, batches, settle } = open();
    for (const n of [1, 2, 3, 4, 5]) queue.add(`${n}`, [n]);
    const flushed = queue.flush();
    await vi.advanceTimersByTimeAsync(0);
    expect(batches).toEqual([[[1], [2], [3]]]);
    await settle();
    expect(batches.slice(1)).toEqual([[[4], [5]]]);
    await settle();
    await flushed;
  });

  it('an added entry during a flush waits for the next, however long that one takes', async () => {
    const { queue, batches, settle } = open();
    queue.add('a', [1]);
    await vi.advanceTimersByTimeAsync(1_000);
    queue.add('a', [2]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(batches).toHaveLength(1);
    await settle();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(batches).toEqual([[[1]], [[2]]]);
  });

  it('an added entry is dropped, counted and reported if the queue is full', async () => {
    const { queue, troubles, settle, written, end } = open();
    for (const n of [1, 2, 3, 4, 5, 6, 7]) queue.add(`${n}`, [n]);
    queue.add('1', [8]);
    expect(queue.droppedCount).toBe(2);
    await vi.advanceTimersByTimeAsync(1_000);
    // The entries that are being written still count.
    queue.add('9', [9]);
    expect(queue.droppedCount).toBe(3);
    await settle();
    await settle();
    expect(troubles).toEqual([{ error: undefined, dropped: 3, waiting: 0 }]);
    await end();
    expect(written).toEqual([[1, 8], [2], [3], [4], [5]]);
  });
});

describe('a batch that cannot be written', () => {
  it('a batch that cannot be written is written again after the waiting entries, merged with newer ones', async () => {
    const { queue, troubles, batches, settle } = open();
    for (const n of [1, 2, 3, 4]) queue.add(`${n}`, [n]);
    await vi.advanceTimersByTimeAsync(1_000);
    queue.add('2', [5]);
    await settle(away);
    // The second batch is not tried while the database is away.
    expect(batches).toHaveLength(1);
    expect(troubles).toEqual([{ error: away, dropped: 0, waiting: 4 }]);
    await vi.advanceTimersByTimeAsync(1_000);
    await settle();
    await settle();
    expect(batches.slice(1)).toEqual([[[4], [2, 5], [1]], [[3]]]);
  });

  it('a batch that cannot be written is dropped when it is too old', async () => {
    const { queue, troubles, settle, batches } = open();
    queue.add('a', [1]);
    for (let time = 0; time < 11; time += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      await settle(away);
    }
    expect(batches).toHaveLength(11);
    expect(troubles.at(-1)).toEqual({ error: away, dropped: 1, waiting: 0 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(batches).toHaveLength(11);
    expect(queue.droppedCount).toBe(1);
  });
});

describe('the end of a writer', () => {
  it('writes waiting entries after the running flush, and takes no new ones', async () => {
    const { queue, batches, settle, end } = open();
    queue.add('a', [1]);
    await vi.advanceTimersByTimeAsync(1_000);
    queue.add('b', [2]);
    const ended = end();
    queue.add('c', [3]);
    await settle();
    await ended;
    expect(batches).toEqual([[[1]], [[2]]]);
    expect(queue.droppedCount).toBe(1);
    await end();
  });

  it('tries once, and reports lost entries', async () => {
    const { queue, troubles, settle } = open();
    for (const n of [1, 2, 3, 4]) queue.add(`${n}`, [n]);
    const ended = queue[Symbol.asyncDispose]();
    await vi.advanceTimersByTimeAsync(0);
    await settle();
    await settle(away);
    await ended;
    expect(troubles).toEqual([{ error: away, dropped: 1, waiting: 0 }]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('disposing ends in time, whether the write succeeds or fails later', async () => {
    for (const error of [undefined, away]) {
      const { queue, troubles, batches, settle } = open();
      for (const n of [1, 2, 3, 4]) queue.add(`${n}`, [n]);
      const ended = queue[Symbol.asyncDispose]();
      await vi.advanceTimersByTimeAsync(2_000);
      await ended;
      expect(troubles).toEqual([{ error: undefined, dropped: 4, waiting: 0 }]);
      await settle(error);
      expect([queue.droppedCount, batches.length, troubles.length]).toEqual([4, 1, 1]);
      expect(vi.getTimerCount()).toBe(0);
    }
  });
});

describe('any sequence of steps', () => {
  const steps = fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.record({ add: fc.nat({ max: 6 }) }) },
      { weight: 1, arbitrary: fc.record({ passMs: fc.nat({ max: 4_000 }) }) },
      { weight: 2, arbitrary: fc.record({ fails: fc.boolean() }) },
      { weight: 1, arbitrary: fc.constant('flush' as const) },
    ),
    { maxLength: 60 },
  );

  it.each([
    ['all keys differ', (_key: number, id: number) => `${id}`],
    ['keys repeat', (key: number) => `${key}`],
  ])(
    'any sequence of steps loses nothing unreported, writes nothing twice and keeps the limit if %s',
    (_, nameOf) =>
      fc.assert(
        fc.asyncProperty(steps, async (given) => {
          const { queue, written, batches, settle, end } = open();
          const keys: string[] = [];
          for (const step of given) {
            if (step === 'flush') void queue.flush();
            else if ('passMs' in step) await vi.advanceTimersByTimeAsync(step.passMs);
            else if ('fails' in step) await settle(step.fails ? away : undefined);
            else {
              keys.push(nameOf(step.add, keys.length));
              queue.add(keys.at(-1) as string, [keys.length - 1]);
            }
            const kept = new Set(keys).size === keys.length ? keys.length : 0;
            expect(kept - written.length - queue.droppedCount).toBeLessThanOrEqual(5);
          }
          await end();
          const ids = written.flat();
          expect(new Set(ids).size).toBe(ids.length);
          expect(batches.every(({ length }) => length > 0 && length <= 3)).toBe(true);
          for (const group of written) {
            expect(group).toEqual(group.toSorted((one, other) => one - other));
            expect(new Set(group.map((id) => keys[id])).size).toBe(1);
          }
          const missing = keys.length - ids.length;
          expect(missing).toBeGreaterThanOrEqual(queue.droppedCount);
          if (new Set(keys).size === keys.length) expect(missing).toBe(queue.droppedCount);
          if (queue.droppedCount === 0) expect(missing).toBe(0);
        }),
      ),
  );
});
