import { LimitWindows } from './limit-windows.ts';
import { type Quotas, type QuotasOptions, quotaWindowMs } from './quotas.ts';

/** Counts in this process only. */
export function createMemoryQuotas(options: QuotasOptions = {}): Quotas {
  const windows = new LimitWindows({ ...options, windowMs: quotaWindowMs });
  return {
    async consume(key, limit, nowMs) {
      const window = windows.open(key, nowMs);
      const allowed = window.mine < limit;
      if (allowed) window.mine += 1;
      const remaining = Math.max(0, limit - window.mine);
      return { allowed, remaining, resetsInMs: window.endsAtMs - nowMs };
    },
  };
}
