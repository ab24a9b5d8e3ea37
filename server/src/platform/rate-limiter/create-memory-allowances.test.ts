import { expect, it } from 'vitest';
import { describeAllowances } from './allowances.contract.ts';
import { createMemoryAllowances } from './create-memory-allowances.ts';

describeAllowances('allowances in memory', async (options) => {
  let nowMs = Date.parse('2026-03-02T12:00:00Z');
  return {
    allowances: createMemoryAllowances(options),
    advance: async (ms) => {
      nowMs += ms;
    },
    nowMs: () => nowMs,
  };
});

it('forgets who was not seen for longest rather than grow', async () => {
  const allowances = createMemoryAllowances({ maxKeys: 2 });
  for (const key of ['ana', 'bo', 'ana', 'cy']) await allowances.take(key, 3, 0);
  expect((await allowances.take('ana', 3, 0)).remaining).toBe(0);
  expect((await allowances.take('bo', 3, 0)).remaining).toBe(2);
});
