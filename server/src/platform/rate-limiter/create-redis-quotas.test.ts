import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { describeQuotas } from '../../../test/contracts/quotas.ts';
import {
  connectTestRedis,
  failTest,
  openTestRedis,
  redisAvailable,
  type TestRedis,
} from '../../../test/hosts/redis.ts';
import { connectRedis } from './connect-redis.ts';
import { createRedisQuotas } from './create-redis-quotas.ts';

const isThere = await redisAvailable();

/** Set by the tests. */
let nowMs = Date.parse('2026-03-02T12:00:00Z');
const clock = { now: () => new Date(nowMs) };

describe.skipIf(!isThere)('quotas with Redis', () => {
  let opened: TestRedis;
  beforeAll(async () => {
    opened = await openTestRedis();
  });
  afterAll(() => opened[Symbol.asyncDispose]());

  const create = (prefix = '', redis: Redis = opened.redis) =>
    createRedisQuotas({ redis, prefix: opened.prefix + prefix, clock, onFault: failTest });

  describeQuotas('quotas in Redis', async () => ({
    quotas: create(`${randomUUID()}:`),
    advance: async (ms) => {
      nowMs += ms;
      await opened.age(ms);
    },
    nowMs: () => nowMs,
  }));

  it('quotas with Redis are shared by all processes', async () => {
    const own = await connectTestRedis();
    const [one, other] = [create('shared:'), create('shared:', own)];
    const asked = Array.from({ length: 30 }, (_, at) =>
      (at % 2 === 0 ? one : other).consume('ana', 20, nowMs),
    );
    expect((await Promise.all(asked)).filter(({ allowed }) => allowed)).toHaveLength(20);
    expect((await other.consume('ana', 20, nowMs)).allowed).toBe(false);
    own.disconnect();
  });

  it('quotas with Redis leave nothing in Redis for longer than a window', async () => {
    await create('brief:').consume('ana', 20, nowMs);
    const lifeMs = await opened.redis.pttl(`${opened.prefix}brief:ana`);
    expect(lifeMs).toBeGreaterThan(50_000);
    expect(lifeMs).toBeLessThanOrEqual(60_000);
  });

  it('quotas with Redis cost one round trip', async () => {
    const send = vi.spyOn(opened.redis, 'sendCommand');
    await create('trips:').consume('ana', 20, nowMs);
    expect(send).toHaveBeenCalledTimes(1);
    send.mockRestore();
  });
});

describe('quotas without Redis', () => {
  it('quotas without Redis refuse nobody because of it, count alone, and report it once a minute', async () => {
    const faults: string[] = [];
    const redis = await connectRedis('redis://127.0.0.1:9', { onFault: () => {} });
    const onFault = (error: Error) => faults.push(error.message);
    const quotas = createRedisQuotas({ redis, prefix: 'x:', clock, onFault });
    for (let minute = 1; minute <= 2; minute += 1) {
      for (const remaining of [2, 1, 0]) {
        const taken = await quotas.consume('ana', 3, nowMs);
        expect(taken).toEqual({ allowed: true, remaining, resetsInMs: 60_000 });
      }
      expect((await quotas.consume('ana', 3, nowMs)).allowed).toBe(false);
      expect(faults).toHaveLength(minute);
      nowMs += 60_000;
    }
    expect(faults[0]).toBe('Redis is unavailable; each process counts keyed requests alone');
    redis.disconnect();
  });

  it('quotas without Redis try a silent Redis again only after five seconds', async () => {
    const ask = vi.fn(async (..._args: unknown[]): Promise<number[]> => {
      throw new Error('Command timed out');
    });
    const faults: string[] = [];
    const quotas = createRedisQuotas({
      redis: { status: 'ready', eval: ask } as unknown as Redis,
      prefix: 'x:',
      clock,
      onFault: (error) => faults.push(error.message),
    });
    for (let at = 0; at < 3; at += 1) {
      expect((await quotas.consume('ana', 9, nowMs)).remaining).toBe(8 - at);
    }
    expect(ask).toHaveBeenCalledTimes(1);
    expect(faults).toEqual(['Command timed out']);
    nowMs += 5_000;
    ask.mockResolvedValue([1, 5, 30_000]);
    const taken = await quotas.consume('ana', 9, nowMs);
    expect(taken).toEqual({ allowed: true, remaining: 5, resetsInMs: 30_000 });
  });
});
