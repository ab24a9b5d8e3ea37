import { describe, expect, it } from 'vitest';
import { ThreadReserve } from './thread-reserve.ts';

const script = new URL('../../../test/programs/answering-thread.ts', import.meta.url);
const roomy = { heapMb: 64, cpuMs: 120_000, answerWithinMs: 600_000 };
const open = () => new ThreadReserve(script, roomy);

/** A number that identifies the thread. */
async function idOf(reserve: ThreadReserve): Promise<number> {
  await using thread = reserve.borrow();
  return await thread.ask<number>('id', undefined);
}

describe('a reserve of threads', () => {
  it('reuses a returned thread, and never gives one to two users', async () => {
    const reserve = open();
    const first = await idOf(reserve);
    await using thread = reserve.borrow();
    expect(await thread.ask('id', undefined)).toBe(first);
    expect(await idOf(reserve)).not.toBe(first);
  });

  it('does not reuse a thread that failed or still works', async () => {
    const reserve = open();
    const first = await idOf(reserve);
    {
      await using thread = reserve.borrow();
      thread.ask('wait', 60_000).catch(() => undefined);
    }
    const second = await idOf(reserve);
    expect(second).not.toBe(first);
    {
      await using thread = reserve.borrow();
      await expect(thread.ask('hoard', undefined)).rejects.toMatchObject({ reason: 'memory' });
    }
    expect(await idOf(reserve)).not.toBe(second);
  });

  it('ends a thread by the signal of its current user only', async () => {
    const reserve = open();
    const earlier = new AbortController();
    {
      await using thread = reserve.borrow(earlier.signal);
      await thread.ask('double', 1);
    }
    const stop = new AbortController();
    await using thread = reserve.borrow(stop.signal);
    earlier.abort();
    expect(await thread.ask('double', 2)).toBe(4);
    const waiting = thread.ask('loop', undefined);
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    await using late = reserve.borrow(stop.signal);
    await expect(late.ask('double', 1)).rejects.toThrow('stopped');
  });
});
