import { expect, it } from 'vitest';
import { forEachConcurrently } from './for-each-concurrently.ts';

it('handles all items in order, with limited concurrency', async () => {
  const begun: number[] = [];
  let underWay = 0;
  let most = 0;
  await forEachConcurrently([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
    begun.push(item);
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay -= 1;
  });
  expect(begun).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(most).toBe(3);
});

it('starts no item after an error, and waits for running ones', async () => {
  const begun: number[] = [];
  const slow = Promise.withResolvers<void>();
  let isSlowDone = false;
  const all = forEachConcurrently([1, 2, 3, 4, 5], 2, async (item) => {
    begun.push(item);
    if (item === 1) {
      await slow.promise;
      isSlowDone = true;
    } else {
      setImmediate(slow.resolve);
      throw new Error(`item ${item}`);
    }
  });
  await expect(all).rejects.toThrow('item 2');
  expect(isSlowDone).toBe(true);
  expect(begun).toEqual([1, 2]);
});

it('forEachConcurrently does nothing with an empty list', async () => {
  await forEachConcurrently([], 3, () => Promise.reject(new Error('never')));
});
