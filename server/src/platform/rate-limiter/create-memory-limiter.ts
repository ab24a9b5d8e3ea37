import type { ApproximateLimiter, LimiterOptions } from './approximate-limiter.ts';
import { LimitWindows } from './limit-windows.ts';

/** Counts in this process only. */
export function createMemoryLimiter(options: LimiterOptions): ApproximateLimiter {
  const windows = new LimitWindows(options);
  const isOff = options.limit === 0;
  return {
    consume: (key, nowMs) => isOff || windows.consume(key, options.limit, nowMs) !== undefined,
    isUsedUp: (key, nowMs) => !isOff && windows.isUsedUp(key, options.limit, nowMs),
    [Symbol.asyncDispose]: async () => {},
  };
}
