import { expect, it } from 'vitest';
import type { ObservedRequest } from '../observed-request.ts';
import { KnownListeners } from './known-listeners.ts';

const [day, next] = ['2026-03-10', '2026-03-11'] as const;
const requestOf = (address: string, userAgent?: string) =>
  ({ address, userAgent }) as ObservedRequest;
const place = { country: 'DE', network: 3320 };
const found = { listener: '1'.repeat(32), addressHash: '2'.repeat(16), place };

it('finds a listener by address and user agent', () => {
  const known = new KnownListeners();
  known.add(day, requestOf('192.0.2.1', 'Pod/1'), found);
  expect(known.find(day, requestOf('192.0.2.1', 'Pod/1'))).toBe(found);
  expect(known.find(day, requestOf('192.0.2.1'))).toBeUndefined();
  expect(known.find(day, requestOf('192.0.2.2', 'Pod/1'))).toBeUndefined();
});

it('finds nobody of another day, and forgets those of the past day', () => {
  const known = new KnownListeners();
  const request = requestOf('192.0.2.1');
  known.add(day, request, found);
  expect(known.find(next, request)).toBeUndefined();
  known.keepOnly(day);
  expect(known.find(day, request)).toBe(found);
  known.keepOnly(next);
  expect(known.find(day, request)).toBeUndefined();
  known.add(day, request, found);
  known.add(next, requestOf('192.0.2.2'), found);
  known.add(day, requestOf('192.0.2.3'), found);
  expect(known.find(day, request)).toBeUndefined();
});

it('known listeners do not include very long user agents', () => {
  const known = new KnownListeners();
  const request = requestOf('192.0.2.1', 'x'.repeat(16_000));
  known.add(day, request, found);
  expect(known.find(day, request)).toBeUndefined();
});
