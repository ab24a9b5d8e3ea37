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
  const all = Promise.allSettled(
    Array.from({ length: 9 }, () => enqueue({ block: 'somebody' }, undefined, work)),
  );
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

it('a client that fills the queue of passwords delays and refuses only itself', async () => {
  const enqueue = createBoundedQueue({ atOnce: 1, mostWaiting: 3 });
  const begun: string[] = [];
  const ask = (client: string) =>
    enqueue({ block: client }, undefined, async () => begun.push(client)).catch(
      ({ kind }) => `${client} ${kind}`,
    );
  const all = ['flood', 'flood', 'flood', 'flood', 'flood', 'person', 'other'].map(ask);
  const refused = (await Promise.all(all)).filter((result) => typeof result === 'string');
  expect(refused).toEqual(Array(3).fill('flood service_unavailable'));
  expect(begun).toEqual(['flood', 'flood', 'person', 'other']);
});

it('strangers who fill the queue of passwords refuse no user who is known', async () => {
  const enqueue = createBoundedQueue({ atOnce: 1, mostWaiting: 3 });
  const begun: string[] = [];
  const ask = (name: string, client: Parameters<typeof enqueue>[0]) =>
    enqueue(client, undefined, async () => begun.push(name)).catch(() => `${name} refused`);
  const strangers = Array.from({ length: 9 }, (_, n) =>
    ask(`stranger ${n}`, { block: `2001:db8:${n}::/48` }),
  );
  await Promise.all([...strangers, ask('user', { userId: 'u' }), ask('operator', 'operator')]);
  expect(begun).toHaveLength(6);
  expect(begun).toEqual(expect.arrayContaining(['user', 'operator']));
});

it('a client that leaves gives up its place in the queue of passwords', async () => {
  const enqueue = createBoundedQueue({ atOnce: 1, mostWaiting: 3 });
  const leaving = new AbortController();
  const working = Promise.withResolvers<void>();
  const begun: string[] = [];
  const ask = (name: string, left?: AbortSignal) =>
    enqueue({ block: 'somebody' }, left, async () => {
      begun.push(name);
      await working.promise;
    });
  const first = ask('first', leaving.signal);
  const second = ask('second', leaving.signal);
  const third = ask('third');
  leaving.abort(new Error('left'));
  await expect(second).rejects.toThrow('left');
  working.resolve();
  await Promise.all([first, third]);
  expect(begun).toEqual(['first', 'third']);
});
