import { expect, it } from 'vitest';
import { OpenRequests } from './open-requests.ts';

const at = (second: number, ms = 0) => new Date(Date.UTC(2026, 0, 1, 0, 0, second, ms));

it('knows the second of the earliest open request', () => {
  const open = new OpenRequests();
  expect(open.earliest).toBeUndefined();
  for (const [second, ms] of [
    [5, 900],
    [3, 100],
    [3, 700],
  ] as const)
    open.add(at(second, ms));
  expect(open.earliest).toEqual(at(3));
  open.remove(at(3, 700));
  expect(open.earliest).toEqual(at(3));
  open.remove(at(3, 100));
  expect(open.earliest).toEqual(at(5));
  open.remove(at(5, 900));
  expect(open.earliest).toBeUndefined();
});

it('keeps few seconds in memory when each request ends at once', () => {
  const open = new OpenRequests();
  open.add(at(0));
  for (let second = 1; second < 50; second += 1) {
    open.add(at(second));
    open.remove(at(second));
  }
  expect(open.earliest).toEqual(at(0));
  expect(open.size).toBe(2);
});
