import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SleepTimer } from './sleep-timer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

// PAGE-36
it('a sleep timer that another page began ends when it would have ended there', () => {
  const begun = new SleepTimer(() => undefined);
  begun.set(5);
  vi.advanceTimersByTime(240_000);
  const onEnd = vi.fn();
  const next = new SleepTimer(onEnd);
  next.set(begun.chosen, begun.leftMs);
  vi.advanceTimersByTime(59_000);
  expect([next.chosen, onEnd.mock.calls.length]).toEqual([5, 0]);
  vi.advanceTimersByTime(1_000);
  expect([next.chosen, onEnd.mock.calls.length]).toEqual([undefined, 1]);
});

it('the end of the episode has no time, and the next page knows it', () => {
  const next = new SleepTimer(() => undefined);
  next.set('end', 0);
  expect([next.leftMs, next.endsNow(), next.endsNow()]).toEqual([0, true, false]);
});
