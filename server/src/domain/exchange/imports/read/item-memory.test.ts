import { expect, it } from 'vitest';
import { ItemMemory } from './item-memory.ts';

it('a second import waits until the first has released its memory', async () => {
  const memory = new ItemMemory({ mostBytes: 100, freeBytes: 10 });
  const first = await memory.take(60, {});
  let waited = 0;
  const second = memory.take(50, { onWait: () => (waited += 1) });
  expect({ waited, taken: memory.takenBytes }).toEqual({ waited: 1, taken: 60 });
  first[Symbol.dispose]();
  (await second)[Symbol.dispose]();
  expect(memory.takenBytes).toBe(0);
});

it('what an import has had, and since when, is known while another one waits', async () => {
  const memory = new ItemMemory({ mostBytes: 100, freeBytes: 10 });
  const first = await memory.take(60, { importId: 'first' });
  using _small = await memory.take(10, { importId: 'small' });
  expect(memory.isWaitedFor).toBe(false);
  const second = memory.take(50, { importId: 'second' });
  expect(memory.isWaitedFor).toBe(true);
  const known = () => ['first', 'small', 'second'].map((id) => memory.heldMs(id) !== undefined);
  expect(known()).toEqual([true, false, false]);
  expect(memory.heldMs('first')).toBeGreaterThanOrEqual(0);
  first[Symbol.dispose]();
  using _second = await second;
  expect(known()).toEqual([false, false, true]);
  expect(memory.isWaitedFor).toBe(false);
});

it('an import that needs little never waits', async () => {
  const memory = new ItemMemory({ mostBytes: 100, freeBytes: 10 });
  using _large = await memory.take(100, {});
  using _small = await memory.take(10, {});
  expect(memory.takenBytes).toBe(100);
});

it('imports that wait are served in their order, also after one gives up', async () => {
  const memory = new ItemMemory({ mostBytes: 100, freeBytes: 10 });
  const first = await memory.take(60, {});
  const leaving = new AbortController();
  const order: string[] = [];
  const gone = memory.take(90, { signal: leaving.signal }).catch((error: Error) => error.message);
  const next = memory.take(30, {}).then((taken) => {
    order.push('next');
    return taken;
  });
  expect(memory.takenBytes).toBe(60);
  leaving.abort(new Error('its turn is over'));
  expect(await gone).toBe('its turn is over');
  using _next = await next;
  expect(memory.takenBytes).toBe(90);
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  expect({ order, taken: memory.takenBytes }).toEqual({ order: ['next'], taken: 30 });
});
