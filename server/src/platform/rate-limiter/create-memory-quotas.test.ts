import { expect, it } from 'vitest';
import { describeQuotas } from '../../../test/contracts/quotas.ts';
import { createMemoryQuotas } from './create-memory-quotas.ts';

describeQuotas('quotas in memory', async (options) => {
  let nowMs = Date.parse('2026-03-02T12:00:00Z');
  return {
    quotas: createMemoryQuotas(options),
    advance: async (ms) => {
      nowMs += ms;
    },
    nowMs: () => nowMs,
  };
});

it('drops the least recently used client when it is full', async () => {
  const quotas = createMemoryQuotas({ maxKeys: 2 });
  for (const key of ['ana', 'bo', 'ana', 'cy']) await quotas.consume(key, 3, 0);
  expect((await quotas.consume('ana', 3, 0)).remaining).toBe(0);
  expect((await quotas.consume('bo', 3, 0)).remaining).toBe(2);
});
