import { setImmediate } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { ReadTurns } from './read-turns.ts';

const stays = new AbortController().signal;

/** Begins reads that end when their `end` is called; `begun` lists those at work, in their order. */
function beginMany(users: string, left = stays, connections = 10) {
  const reads = new ReadTurns(connections);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const results = [...users].map((user) =>
    reads.run(user, left, () => {
      begun.push(user);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.push(resolve);
      return promise;
    }),
  );
  return { reads, begun, ends, results };
}

it('ReadTurns runs one read of a user at once, and two of all, whose users take turns', async () => {
  const { begun, ends, results } = beginMany('aaabc');
  await setImmediate();
  expect(begun.join('')).toBe('ab');
  ends[1]?.();
  await setImmediate();
  expect(begun.join('')).toBe('abc');
  ends[2]?.();
  await setImmediate();
  expect(begun.join('')).toBe('abc');
  ends[0]?.();
  await setImmediate();
  expect(begun.join('')).toBe('abca');
  ends[3]?.();
  await setImmediate();
  ends[4]?.();
  await Promise.all(results);
  expect(begun.join('')).toBe('abcaa');
});

it('ReadTurns leaves a turn for others if the last reads of two users were slow', async () => {
  const { reads, begun, ends, results } = beginMany('ab');
  await setImmediate();
  using clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
  for (const end of ends) end();
  await Promise.all(results);
  clock.mockRestore();
  const { promise: isOver, resolve: endAll } = Promise.withResolvers<void>();
  const slow = ['a', 'b'].map((user) =>
    reads.run(user, stays, () => {
      begun.push(user);
      return isOver;
    }),
  );
  await setImmediate();
  expect(begun.join('')).toBe('aba');
  expect(await reads.run('c', stays, async () => 'read')).toBe('read');
  endAll();
  await Promise.all(slow);
  expect(begun.join('')).toBe('abab');
  // Neither was slow this time.
  const again = ['a', 'b'].map((user) => reads.run(user, stays, async () => begun.push(user)));
  await Promise.all(again);
  expect(begun.join('')).toBe('ababab');
});

it('ReadTurns runs one read at once on a database with one connection', async () => {
  const { begun, ends, results } = beginMany('ab', stays, 1);
  await setImmediate();
  expect(begun.join('')).toBe('a');
  ends[0]?.();
  await setImmediate();
  ends[1]?.();
  await Promise.all(results);
  expect(begun.join('')).toBe('ab');
});

it('ReadTurns gives up what waits for a client that leaves, but a turn lasts until its read ends', async () => {
  const leaving = new AbortController();
  const { reads, begun, ends, results } = beginMany('aa', leaving.signal);
  const [first, second] = results;
  leaving.abort(new Error('the client has left'));
  await expect(second).rejects.toThrow('the client has left');
  const next = reads.run('a', stays, async () => void begun.push('next'));
  await setImmediate();
  expect(begun).toEqual(['a']);
  ends[0]?.();
  await Promise.all([first, next]);
  expect(begun).toEqual(['a', 'next']);
});

it('ReadTurns ends the turn of a read that fails', async () => {
  const reads = new ReadTurns(10);
  const failing = reads.run('a', stays, () => Promise.reject(new Error('no database')));
  await expect(failing).rejects.toThrow('no database');
  expect(await reads.run('a', stays, async () => 1)).toBe(1);
});
