import { describe, expect, it } from 'vitest';
import type {
  ApproximateLimiter,
  LimiterOptions,
} from '../../src/platform/rate-limiter/approximate-limiter.ts';

export interface OpenedLimiter {
  readonly limiter: ApproximateLimiter;
  /** Sets the limiter's own clock and whatever else it ends windows by. */
  advance(ms: number): Promise<void>;
  /** Now, by that clock. */
  nowMs(): number;
}

type OpenLimiter = (options: LimiterOptions) => Promise<OpenedLimiter>;

/** Everything one process may expect of a limiter, whoever else counts with it. */
export function describeLimiter(name: string, open: OpenLimiter): void {
  const spend = ({ limiter, nowMs }: OpenedLimiter, key: string, times: number): number => {
    let allowed = 0;
    for (let at = 0; at < times; at += 1) allowed += limiter.consume(key, nowMs()) ? 1 : 0;
    return allowed;
  };

  describe(name, () => {
    it('lets through as many as the limit, of each client', async () => {
      const opened = await open({ limit: 600 });
      await using _limiter = opened.limiter;
      expect(spend(opened, '192.0.2.1', 700)).toBe(600);
      expect(spend(opened, '192.0.2.2', 1)).toBe(1);
      expect(spend(opened, '192.0.2.1', 5)).toBe(0);
    });

    it('begins a new window 60 seconds after the first request, not the last', async () => {
      const opened = await open({ limit: 3 });
      await using _limiter = opened.limiter;
      expect(spend(opened, '192.0.2.1', 1)).toBe(1);
      await opened.advance(50_000);
      expect(spend(opened, '192.0.2.1', 5)).toBe(2);
      await opened.advance(10_000);
      expect(spend(opened, '192.0.2.1', 5)).toBe(3);
      await opened.advance(600_000);
      expect(spend(opened, '192.0.2.1', 5)).toBe(3);
    });

    it('does not shut out for long when the clock is set back', async () => {
      const opened = await open({ limit: 1 });
      await using _limiter = opened.limiter;
      const nowMs = opened.nowMs();
      expect(opened.limiter.consume('192.0.2.1', nowMs)).toBe(true);
      expect(opened.limiter.consume('192.0.2.1', nowMs - 5)).toBe(false);
      expect(opened.limiter.consume('192.0.2.1', nowMs - 3_600_000)).toBe(true);
    });

    it('lets everything through when the limit is 0', async () => {
      const opened = await open({ limit: 0 });
      await using _limiter = opened.limiter;
      expect(spend(opened, '192.0.2.1', 10_000)).toBe(10_000);
    });

    it('takes any text for a key', async () => {
      const opened = await open({ limit: 1 });
      await using _limiter = opened.limiter;
      for (const key of ['', '__proto__', '2001:db8::/64', 'a\0b', 'x'.repeat(10_000)]) {
        expect(spend(opened, key, 3)).toBe(1);
      }
    });

    it('forgets who was not seen for longest rather than grow', async () => {
      const opened = await open({ limit: 2, maxKeys: 3 });
      await using _limiter = opened.limiter;
      for (const key of ['a', 'b', 'c', 'a', 'd']) expect(spend(opened, key, 1)).toBe(1);
      // "b" made room for "d" and begins anew; "a" was seen since and is still known.
      expect(spend(opened, 'a', 1)).toBe(0);
      expect(spend(opened, 'b', 3)).toBe(2);
    });
  });
}
