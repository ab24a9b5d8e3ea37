import { describeLimiter } from '../../../test/contracts/approximate-limiter.ts';
import { createMemoryLimiter } from './create-memory-limiter.ts';

describeLimiter('memory limiter', async (options) => {
  let nowMs = Date.parse('2026-03-02T12:00:00Z');
  return {
    limiter: createMemoryLimiter(options),
    advance: async (ms) => {
      nowMs += ms;
    },
    nowMs: () => nowMs,
  };
});
