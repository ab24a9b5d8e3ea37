import { expect, it } from 'vitest';
import type { Context } from '../../domain/foundation/context.ts';
import { createPayload, type Payload, plainTextType } from '../responses/payload.ts';
import { DirectoryCache } from './directory-cache.ts';

const ctx = { announcements: { freshness: { isConfirmed: () => true } } } as Context;

it('a page of the directory is computed on while one of its clients is left', async () => {
  const cache = new DirectoryCache({ maxBytes: 1_000_000, nowMs: () => 0 });
  const { promise, resolve } = Promise.withResolvers<Payload>();
  const [first, second] = [new AbortController(), new AbortController()];
  const signals: AbortSignal[] = [];
  const read = (leaving: AbortSignal) =>
    cache.get(
      ctx,
      'page',
      ({ left }) => {
        if (left !== undefined) signals.push(left);
        return promise;
      },
      { leaving },
    );
  const both = [read(first.signal), read(second.signal)];
  first.abort();
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  resolve(await createPayload(plainTextType, 'text'));
  expect((await both[1])?.totalBytes).toBeGreaterThan(0);
  both[0]?.catch(() => undefined);
});

it('a page of the directory is given up when all of its clients have left', async () => {
  const cache = new DirectoryCache({ maxBytes: 1_000_000, nowMs: () => 0 });
  const client = new AbortController();
  const waits = cache.get(
    ctx,
    'page',
    ({ left }) =>
      new Promise((_, reject) => left?.addEventListener('abort', () => reject(left.reason))),
    { leaving: client.signal },
  );
  client.abort(new Error('left'));
  await expect(waits).rejects.toThrow('left');
});
