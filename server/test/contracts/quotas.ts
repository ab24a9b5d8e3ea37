import { describe, expect, it } from 'vitest';
import type { Quotas, QuotasOptions } from '../../src/platform/rate-limiter/quotas.ts';

export interface OpenedQuotas {
  readonly quotas: Quotas;
  /** Sets the clock and whatever else windows end by. */
  advance(ms: number): Promise<void>;
  nowMs(): number;
}

type OpenQuotas = (options?: QuotasOptions) => Promise<OpenedQuotas>;

/** Everything that whoever takes may expect, wherever the counts are. */
export function describeQuotas(name: string, open: OpenQuotas): void {
  describe(name, () => {
    it('gives as many as the limit, of each key, and tells how many are left', async () => {
      const { quotas, nowMs } = await open();
      const taken = [];
      for (let at = 0; at < 5; at += 1) taken.push(await quotas.consume('ana', 3, nowMs()));
      expect(taken.map(({ allowed }) => allowed)).toEqual([true, true, true, false, false]);
      expect(taken.map(({ remaining }) => remaining)).toEqual([2, 1, 0, 0, 0]);
      expect((await quotas.consume('bo', 3, nowMs())).remaining).toBe(2);
    });

    it('gives exactly as many to those who ask at the same moment', async () => {
      const { quotas, nowMs } = await open();
      const asked = Array.from({ length: 50 }, () => quotas.consume('ana', 20, nowMs()));
      const allowed = (await Promise.all(asked)).filter((taken) => taken.allowed);
      expect(allowed).toHaveLength(20);
      expect(new Set(allowed.map(({ remaining }) => remaining)).size).toBe(20);
    });

    it('begins anew 60 seconds after the first request, and tells when', async () => {
      const { quotas, advance, nowMs } = await open();
      const resetsIn = async () => (await quotas.consume('ana', 2, nowMs())).resetsInMs;
      expectAbout(await resetsIn(), 60_000);
      await advance(50_000);
      expectAbout(await resetsIn(), 10_000);
      // Refused, which neither counts nor puts the end off.
      expectAbout(await resetsIn(), 10_000);
      await advance(10_000);
      expect(await quotas.consume('ana', 2, nowMs())).toMatchObject({
        allowed: true,
        remaining: 1,
      });
    });

    it('goes by the limit of the moment: a larger one holds at once', async () => {
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

/** Redis's own clock goes on between two questions. */
function expectAbout(actualMs: number, expectedMs: number): void {
  expect(actualMs).toBeLessThanOrEqual(expectedMs);
  expect(actualMs).toBeGreaterThan(expectedMs - 5_000);
}
