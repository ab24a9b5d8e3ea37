import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createTestClock } from '../../../../test/test-clock.ts';
import type { Context } from '../context.ts';
import { Leases } from './leases.ts';

const second = 1_000;
const clock = createTestClock();
const ctx = { clock } as unknown as Context;
let renewals: { ids: readonly string[]; untilMs: number }[];
let renewed: (ids: readonly string[]) => Promise<readonly string[]>;
let failures: unknown[];

beforeEach(() => {
  vi.useFakeTimers();
  [renewals, failures] = [[], []];
  renewed = async (ids) => ids;
});
afterEach(() => vi.useRealTimers());

function open(stopping = new AbortController().signal): Leases {
  const renew = (ids: readonly string[], until: Date) => {
    renewals.push({ ids, untilMs: until.getTime() - clock.now().getTime() });
    return renewed(ids);
  };
  return new Leases(ctx, renew, { stopping, onFailure: (error) => failures.push(error) });
}

it('claims are renewed together until all of their rows are done', async () => {
  const leases = open();
  const held = ['one', 'one', 'two'].map((id) => leases.hold(id, performance.now()));
  await vi.advanceTimersByTimeAsync(30 * second);
  expect(renewals).toHaveLength(10);
  expect(renewals.at(-1)).toEqual({ ids: ['one', 'two'], untilMs: 15 * second });
  held[0]?.[Symbol.dispose]();
  held[2]?.[Symbol.dispose]();
  await vi.advanceTimersByTimeAsync(3 * second);
  expect(renewals.at(-1)?.ids).toEqual(['one']);
  expect(held[1]?.signal.aborted).toBe(false);
  held[1]?.[Symbol.dispose]();
  await vi.advanceTimersByTimeAsync(30 * second);
  expect(renewals).toHaveLength(11);
  expect(vi.getTimerCount()).toBe(0);
});

it('work ends when another worker has the claim, and other work goes on', async () => {
  const leases = open();
  const [lost, kept] = ['lost', 'kept'].map((id) => leases.hold(id, performance.now()));
  renewed = async (ids) => ids.filter((id) => id !== 'lost');
  await vi.advanceTimersByTimeAsync(3 * second);
  expect([lost?.signal.aborted, kept?.signal.aborted]).toEqual([true, false]);
  await vi.advanceTimersByTimeAsync(3 * second);
  expect(renewals.at(-1)?.ids).toEqual(['kept']);
});

it('work ends when the claim may have ended because it was not renewed in time', async () => {
  const leases = open();
  renewed = () => Promise.reject(new Error('away'));
  const held = leases.hold('one', performance.now());
  await vi.advanceTimersByTimeAsync(14 * second);
  expect(held.signal.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(second);
  expect(held.signal.aborted).toBe(true);
  expect(failures.length).toBeGreaterThan(0);
});

it('work ends when the worker stops', () => {
  const stopping = new AbortController();
  const held = open(stopping.signal).hold('one', performance.now());
  stopping.abort();
  expect(held.signal.aborted).toBe(true);
});
