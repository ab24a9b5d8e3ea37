import { describe, expect, it } from 'vitest';
import type { Quotas, QuotasOptions } from '../../src/platform/rate-limiter/quotas.ts';

export interface OpenedQuotas {
  readonly quotas: Quotas;
  /** Advances all clocks by which windows end. */
  advance(ms: number): Promise<void>;
  nowMs(): number;
}

type OpenQuotas = (options?: QuotasOptions) => Promise<OpenedQuotas>;

/** The behavior of quotas, in memory and in Redis. */
export function describeQuotas(name: string, open: OpenQuotas): void {
  describe(name, () => {
    it('allows as many as the limit for each key, and returns how many are left', async () => {
      const { quotas, nowMs } = await open();
      const taken = [];
      for (let at = 0; at < 5; at += 1) taken.push(await quotas.consume('ana', 3, nowMs()));
      expect(taken.map(({ allowed }) => allowed)).toEqual([true, true, true, false, false]);
      expect(taken.map(({ remaining }) => remaining)).toEqual([2, 1, 0, 0, 0]);
      expect((await quotas.consume('bo', 3, nowMs())).remaining).toBe(2);
    });

    it('allows exactly as many for concurrent requests', async () => {
      const { quotas, nowMs } = await open();
      const asked = Array.from({ length: 50 }, () => quotas.consume('ana', 20, nowMs()));
      const allowed = (await Promise.all(asked)).filter((taken) => taken.allowed);
      expect(allowed).toHaveLength(20);
      expect(new Set(allowed.map(({ remaining }) => remaining)).size).toBe(20);
    });

    it('resets 60 seconds after the first request, and returns when', async () => {
      const { quotas, advance, nowMs } = await open();
      const resetsIn = async () => (await quotas.consume('ana', 2, nowMs())).resetsInMs;
      expectAbout(await resetsIn(), 60_000);
      await advance(50_000);
      expectAbout(await resetsIn(), 10_000);
      // A refused request does not count, and does not extend the window.
      expectAbout(await resetsIn(), 10_000);
      await advance(10_000);
      expect(await quotas.consume('ana', 2, nowMs())).toMatchObject({
        allowed: true,
        remaining: 1,
      });
    });

    it('uses the limit of each call: a larger one takes effect at once', async () => {
      const { quotas, nowMs } = await open();
      await quotas.consume('plan', 1, nowMs());
      expect((await quotas.consume('plan', 1, nowMs())).allowed).toBe(false);
      expect(await quotas.consume('plan', 3, nowMs())).toMatchObject({
        allowed: true,
        remaining: 1,
      });
      expect(await quotas.consume('plan', 1, nowMs())).toMatchObject({
        allowed: false,
        remaining: 0,
      });
    });
  });
}

/** Redis's own clock advances between two calls. */
function expectAbout(actualMs: number, expectedMs: number): void {
  expect(actualMs).toBeLessThanOrEqual(expectedMs);
  expect(actualMs).toBeGreaterThan(expectedMs - 5_000);
}
