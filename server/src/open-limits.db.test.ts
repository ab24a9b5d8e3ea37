import { expect, it, vi } from 'vitest';
import { createTestContext } from '../test/create-test-context.ts';
import { openLimits } from './open-limits.ts';

it('no request is refused while Redis is away, which is logged once a minute', async () => {
  await using app = await createTestContext({ REDIS_URL: 'redis://127.0.0.1:9' });
  await using opened = new AsyncDisposableStack();
  const warn = vi.spyOn(app.log, 'warn');
  const { limits, faults } = await openLimits(app, opened);
  const nowMs = () => app.clock.now().getTime();
  for (let minute = 1; minute <= 3; minute += 1) {
    for (let at = 0; at < 10; at += 1) {
      expect((await limits.quotas.consume('ana', 600, nowMs())).remaining).toBe(599 - at);
      expect(limits.refused.consume('192.0.2.1', nowMs())).toBe(true);
      expect(limits.public.consume('192.0.2.1', nowMs())).toBe(true);
    }
    expect([faults(), warn.mock.calls.length]).toEqual([minute, minute]);
    app.clock.advance(60_000);
  }
  const words = 'Redis is unavailable; this process counts requests alone';
  expect(warn).toHaveBeenLastCalledWith({ err: expect.any(Error) }, words);
});

it('limits in memory count each client, and report no faults', async () => {
  await using app = await createTestContext();
  await using opened = new AsyncDisposableStack();
  const { limits, faults } = await openLimits(app, opened);
  const nowMs = app.clock.now().getTime();
  const refused = Array.from({ length: 61 }, () => limits.refused.consume('192.0.2.1', nowMs));
  expect(refused.filter(Boolean)).toHaveLength(60);
  // PUBLIC_RATE_LIMIT=0 switches off only the public limit.
  expect(limits.public.consume('192.0.2.1', nowMs)).toBe(true);
  expect(faults()).toBe(0);
});
