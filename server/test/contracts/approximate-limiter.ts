import { describe, expect, it } from 'vitest';
import type {
  ApproximateLimiter,
  LimiterOptions,
} from '../../src/platform/rate-limiter/approximate-limiter.ts';

export interface OpenedLimiter {
  readonly limiter: ApproximateLimiter;
  /** Advances all clocks by which windows end. */
  advance(ms: number): Promise<void>;
  /** The present time of the limiter's clock. */
  nowMs(): number;
}

type OpenLimiter = (options: LimiterOptions) => Promise<OpenedLimiter>;

/** The behavior of a limiter in one process, alone or with others. */
export function describeLimiter(name: string, open: OpenLimiter): void {
  const spend = ({ limiter, nowMs }: OpenedLimiter, key: string, times: number): number => {
    let allowed = 0;
    for (let at = 0; at < times; at += 1) allowed += limiter.consume(key, nowMs()) ? 1 : 0;
    return allowed;
  };

  describe(name, () => {
    it('allows as many requests as the limit for each client', async () => {
      const opened = await open({ limit: 600 });
      await using _limiter = opened.limiter;
      expect(spend(opened, '192.0.2.1', 700)).toBe(600);
      expect(spend(opened, '192.0.2.2', 1)).toBe(1);
      expect(spend(opened, '192.0.2.1', 5)).toBe(0);
    });

    it('allows the networks of an IPv6 /48 together ten times as many requests', async () => {
      const opened = await open({ limit: 3 });
      await using _limiter = opened.limiter;
      const spent = (n: number) => spend(opened, `2001:db8:1:${n}::/64`, 5);
      expect(Array.from({ length: 11 }, (_, n) => spent(n))).toEqual([...Array(10).fill(3), 0]);
      expect(opened.limiter.isUsedUp('2001:db8:1:99::/64', opened.nowMs())).toBe(true);
      expect(spend(opened, '2001:db8:2:0::/64', 5)).toBe(3);
      await opened.advance(60_000);
      expect(spent(10)).toBe(3);
    });

    it('requests that a network has too many of do not use up the limit of its /48', async () => {
      const opened = await open({ limit: 1 });
      await using _limiter = opened.limiter;
      expect(spend(opened, '2001:db8:1:1::/64', 100)).toBe(1);
      expect(spend(opened, '2001:db8:1:2::/64', 100)).toBe(1);
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

    it('does not refuse for long after the clock was set back', async () => {
      const opened = await open({ limit: 1 });
      await using _limiter = opened.limiter;
      const nowMs = opened.nowMs();
      expect(opened.limiter.consume('192.0.2.1', nowMs)).toBe(true);
      expect(opened.limiter.consume('192.0.2.1', nowMs - 5)).toBe(false);
      expect(opened.limiter.consume('192.0.2.1', nowMs - 3_600_000)).toBe(true);
    });

    it('allows everything if the limit is 0', async () => {
      const opened = await open({ limit: 0 });
      await using _limiter = opened.limiter;
      expect(spend(opened, '192.0.2.1', 10_000)).toBe(10_000);
    });

    it('accepts any text as a key', async () => {
      const opened = await open({ limit: 1 });
      await using _limiter = opened.limiter;
      for (const key of ['', '__proto__', '2001:db8::/64', 'a\0b', 'x'.repeat(10_000)]) {
        expect(spend(opened, key, 3)).toBe(1);
      }
    });

    it('drops the least recently seen client if it is full', async () => {
      const opened = await open({ limit: 2, maxKeys: 3 });
      await using _limiter = opened.limiter;
      for (const key of ['a', 'b', 'c', 'a', 'd']) expect(spend(opened, key, 1)).toBe(1);
      // "b" was dropped for "d" and starts over. "a" was seen later and is still known.
      expect(spend(opened, 'a', 1)).toBe(0);
      expect(spend(opened, 'b', 3)).toBe(2);
    });
  });
}
