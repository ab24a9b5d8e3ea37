import { expect, it } from 'vitest';
import { inBatches } from './in-batches.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('items of one turn, and those that come while others are worked on, are passed on together', async () => {
  const batches: (readonly number[])[] = [];
  const first = Promise.withResolvers<void>();
  const double = inBatches({ mostAtOnce: 3 }, async (items: readonly number[]) => {
    batches.push(items);
    if (batches.length === 1) await first.promise;
    return items.map((item) => 2 * item);
  });
  const results = [double(1), double(2)];
  await turn();
  for (const item of [3, 4, 5, 6]) results.push(double(item));
  await turn();
  expect(batches).toEqual([[1, 2]]);
  first.resolve();
  expect(await Promise.all(results)).toEqual([2, 4, 6, 8, 10, 12]);
  expect(batches).toEqual([[1, 2], [3, 4, 5], [6]]);
  expect(await double(7)).toBe(14);
});

it('one item that fails does not fail the others of its batch', async () => {
  const batches: (readonly number[])[] = [];
  const check = inBatches({ mostAtOnce: 9 }, async (items: readonly number[]) => {
    batches.push(items);
    if (items.includes(2)) throw new Error('not 2');
    return items;
  });
  const results = await Promise.allSettled([1, 2, 3].map(check));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(batches).toEqual([[1, 2, 3], [1], [2], [3]]);
});

it('the first item is passed on at once, and those that follow soon together', async () => {
  const batches: (readonly number[])[] = [];
  const note = inBatches({ mostAtOnce: 3, pauseMs: 40 }, async (items: readonly number[]) => {
    batches.push(items);
    return items;
  });
  await note(1);
  const second = note(2);
  await turn();
  await Promise.all([second, note(3)]);
  expect(batches).toEqual([[1], [2, 3]]);
});
