import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { writeItems } from './write-items.ts';

afterEach(() => vi.restoreAllMocks());

const write = async (items: readonly unknown[]) =>
  JSON.parse(Buffer.concat(await writeItems(items, (item) => JSON.stringify(item))).toString());

it.each([[[]], [[{ name: 'Ana' }]], [[1, 'zwei', null]]])(
  'a list is written as JSON: %j',
  async (items) => {
    expect(await write(items)).toEqual(items);
  },
);

it('other tasks run between the items of a list that takes long', async () => {
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  let others = 0;
  let isDone = false;
  const other = (async () => {
    for (; !isDone; others += 1) await setImmediate();
  })();
  await writeItems([1, 2, 3, 4], (item) => {
    nowMs += 10;
    return JSON.stringify(item);
  });
  isDone = true;
  await other;
  expect(others).toBeGreaterThanOrEqual(4);
});
