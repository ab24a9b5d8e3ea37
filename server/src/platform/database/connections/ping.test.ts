import type pg from 'pg';
import { expect, test, vi } from 'vitest';
import { createPing } from './ping.ts';
import { ReadOnlyDatabaseError } from './read-only.ts';

const respond = (isReadOnly: boolean) => async () => ({ rows: [{ isReadOnly }] });

function poolWith(query: () => Promise<unknown>): pg.Pool {
  return { query } as unknown as pg.Pool;
}

test('a ping resolves with the response', async () => {
  await expect(createPing(poolWith(respond(false)), 1_000)()).resolves.toBeUndefined();
});

test('a ping rejects if the database accepts no writes', async () => {
  const ping = createPing(poolWith(respond(true)), 1_000);
  await expect(ping()).rejects.toBeInstanceOf(ReadOnlyDatabaseError);
});

test("a ping rejects with the database's error", async () => {
  const ping = createPing(
    poolWith(async () => {
      throw new Error('refused');
    }),
    1_000,
  );
  await expect(ping()).rejects.toThrow('refused');
});

test('pings of an absent database fail in time and share one query', async () => {
  vi.useFakeTimers();
  try {
    const query = vi.fn(() => new Promise<never>(() => undefined));
    const ping = createPing(poolWith(query), 2_000);
    const pings = Promise.allSettled([ping(), ping()]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect((await pings).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const later = ping();
    later.catch(() => undefined);
    expect(query).toHaveBeenCalledTimes(1);
  } finally {
    vi.useRealTimers();
  }
});

test('a ping after a response sends a new query', async () => {
  const query = vi.fn(respond(false));
  const ping = createPing(poolWith(query), 1_000);
  await ping();
  await ping();
  expect(query).toHaveBeenCalledTimes(2);
});
