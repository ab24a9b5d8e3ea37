import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WorkShares } from './work-shares.ts';

let shares: WorkShares;
beforeEach(() => {
  shares = new WorkShares();
});
afterEach(() => {
  vi.useRealTimers();
});

const makeResponse = () =>
  Object.assign(new EventEmitter(), { destroyed: false }) as unknown as ServerResponse;

/** Begins requests; `begun` lists those at work, in their order. */
function beginMany(count: number, who = 'user a') {
  const begun: ServerResponse[] = [];
  const refused: unknown[] = [];
  const responses = Array.from({ length: count }, makeResponse);
  for (const response of responses) {
    shares.begin(who, response).then(
      () => begun.push(response),
      (error: unknown) => refused.push(error),
    );
  }
  return { begun, refused, responses };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

it('lets eight requests of a user work, and the others wait for their ends', async () => {
  const { begun, responses, refused } = beginMany(20);
  await settle();
  expect(begun).toEqual(responses.slice(0, 8));
  responses[3]?.emit('finish');
  responses[3]?.emit('close');
  responses[0]?.emit('close');
  await settle();
  expect(begun).toEqual(responses.slice(0, 10));
  // Of another user, or with another secret.
  expect((await waitFor(beginMany(3, 'user b'))).begun).toHaveLength(3);
  for (const response of responses) {
    await vi.waitUntil(() => begun.includes(response));
    response.emit('finish');
  }
  expect(refused).toEqual([]);
  expect((await waitFor(beginMany(8))).begun).toHaveLength(8);
});

const waitFor = async <T>(value: T): Promise<T> => {
  await settle();
  return value;
};

it('refuses what cannot wait, and what has waited for a minute', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { begun, refused } = await waitFor(beginMany(700));
  expect(refused).toHaveLength(92);
  expect(refused[0]).toMatchObject({ kind: 'rate_limited', retryAfterSeconds: 5 });
  vi.advanceTimersByTime(60_000);
  await settle();
  expect(refused).toHaveLength(692);
  for (const response of begun.splice(0)) response.emit('close');
  expect((await waitFor(beginMany(9))).begun).toHaveLength(8);
});

it('forgets requests whose clients have gone, while they wait and before they begin', async () => {
  const { begun, responses } = await waitFor(beginMany(10));
  responses[8]?.emit('close');
  responses[0]?.emit('close');
  await settle();
  expect(begun).toEqual([...responses.slice(0, 8), responses[9]]);
  const gone = Object.assign(makeResponse(), { destroyed: true });
  for (const response of begun) response.emit('close');
  await shares.begin('user a', gone);
  expect((await waitFor(beginMany(9))).begun).toHaveLength(8);
});

it('counts a request for its secret and its user, until a stream begins', async () => {
  const streaming = makeResponse();
  await shares.begin('session s', streaming);
  await shares.begin('user a', streaming);
  expect((await waitFor(beginMany(8))).begun).toHaveLength(7);
  expect((await waitFor(beginMany(8, 'session s'))).begun).toHaveLength(7);
  shares.end(streaming);
  streaming.emit('close');
  expect((await waitFor(beginMany(8, 'user c'))).begun).toHaveLength(8);
});
