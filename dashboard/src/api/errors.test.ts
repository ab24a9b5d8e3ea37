import { expect, it } from 'vitest';
import { readRefusal } from './errors.ts';

const refusal = (headers: Record<string, string>) =>
  readRefusal(new Response('{}', { status: 503, headers }));

it.each([
  ['120', 120],
  ['0', 0],
  ['999999', 3600],
  ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
  ['soon', undefined],
])('reads Retry-After: %s', async (value, seconds) => {
  expect((await refusal({ 'Retry-After': value })).retryAfterSeconds).toBe(seconds);
});

it('reads a date of Retry-After', async () => {
  const date = new Date(Date.now() + 60_000).toUTCString();
  const { retryAfterSeconds = 0 } = await refusal({ 'Retry-After': date });
  expect(retryAfterSeconds).toBeGreaterThan(50);
  expect(retryAfterSeconds).toBeLessThanOrEqual(60);
});

it('retryAfterSeconds is undefined if the server did not send it', async () => {
  expect((await refusal({})).retryAfterSeconds).toBeUndefined();
});
