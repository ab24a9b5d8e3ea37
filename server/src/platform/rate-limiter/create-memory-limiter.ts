import { limitsOfNetwork } from '../../lib/client-network.ts';
import type { ApproximateLimiter, LimiterOptions } from './approximate-limiter.ts';
import { LimitWindows } from './limit-windows.ts';

/** Counts in this process only. */
export function createMemoryLimiter(options: LimiterOptions): ApproximateLimiter {
  const windows = new LimitWindows(options);
  const isOff = options.limit === 0;
  const limitsOf = (network: string) => limitsOfNetwork(network, options.limit);
  return {
    consume: (network, nowMs) => isOff || windows.consume(limitsOf(network), nowMs) !== undefined,
    isUsedUp: (network, nowMs) => !isOff && windows.isUsedUp(limitsOf(network), nowMs),
    [Symbol.asyncDispose]: async () => {},
  };
}
