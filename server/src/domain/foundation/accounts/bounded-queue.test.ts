import { expect, it } from 'vitest';
import { createBoundedQueue } from './passwords.ts';

it('runs two at once, and refuses when the queue is full', async () => {
  const enqueue = createBoundedQueue({ atOnce: 2, mostWaiting: 3 });
  const running = new Set<PromiseWithResolvers<void>>();
  let most = 0;
  const work = () => {
    const one = Promise.withResolvers<void>();
    running.add(one);
    most = Math.max(most, running.size);
    return one.promise.finally(() => running.delete(one));
  };
  const all = Promise.allSettled(Array.from({ length: 9 }, () => enqueue(work)));
  let ended = false;
  void all.then(() => {
    ended = true;
  });
  while (!ended) {
    for (const one of running) one.resolve();
    await new Promise(setImmediate);
  }
  const results = await all;
  expect(most).toBe(2);
  const refusals = results.filter(({ status }) => status === 'rejected');
  expect(refusals.length).toBeGreaterThanOrEqual(4);
  for (const refusal of refusals) {
    expect(refusal).toMatchObject({
      reason: { kind: 'service_unavailable', retryAfterSeconds: 5 },
    });
  }
});
