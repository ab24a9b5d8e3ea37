import { type Allowances, type AllowancesOptions, allowanceWindowMs } from './allowances.ts';
import { LimitWindows } from './limit-windows.ts';

/** Counts in this process alone. */
export function createMemoryAllowances(options: AllowancesOptions = {}): Allowances {
  const windows = new LimitWindows({ ...options, windowMs: allowanceWindowMs });
  return {
    async take(key, limit, nowMs) {
      const window = windows.open(key, nowMs);
      const allowed = window.mine < limit;
      if (allowed) window.mine += 1;
      const remaining = Math.max(0, limit - window.mine);
      return { allowed, remaining, resetsInMs: window.endsAtMs - nowMs };
    },
  };
}
