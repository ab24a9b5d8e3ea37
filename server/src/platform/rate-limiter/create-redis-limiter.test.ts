import { randomUUID } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { describeLimiter } from '../../../test/contracts/approximate-limiter.ts';
import {
  failTest,
  openTestRedis,
  redisAvailable,
  type TestRedis,
  testRedisUrl,
} from '../../../test/hosts/redis.ts';
import { patience } from '../../../test/patience.ts';
import type { LimiterOptions } from './approximate-limiter.ts';
import { connectRedis } from './connect-redis.ts';
import { createRedisLimiter, type RedisLimiterOptions } from './create-redis-limiter.ts';

const isThere = await redisAvailable();

const startMs = Date.parse('2026-03-02T12:00:00Z');
/** Set by the tests. */
let nowMs = startMs;
const clock = { now: () => new Date(nowMs) };

// Long enough that only the tests exchange counts.
const never = 1_000_000;

describe.skipIf(!isThere)('a limiter with Redis', () => {
  let opened: TestRedis;
  let limiters = 0;

  beforeAll(async () => {
    opened = await openTestRedis();
  });
  afterAll(() => opened[Symbol.asyncDispose]());

  function create(options: LimiterOptions & Partial<RedisLimiterOptions>) {
    const { redis, prefix } = opened;
    const base = { redis, prefix, clock, flushEveryMs: never, onFault: failTest };
    return createRedisLimiter({ ...base, ...options });
  }

  describeLimiter('Redis limiter', async (options) => {
    limiters += 1;
    const limiter = create({ ...options, prefix: `${opened.prefix}contract${limiters}:` });
    return {
      limiter,
      advance: async (ms) => {
        await limiter.flush();
        nowMs += ms;
        await opened.age(ms);
      },
      nowMs: () => nowMs,
    };
  });

  it('a limiter counts together with other processes', async () => {
    await using one = create({ limit: 10 });
    await using two = create({ limit: 10 });
    const key = randomUUID();
    for (let at = 0; at < 6; at += 1) expect(one.consume(key, nowMs)).toBe(true);
    await one.flush();
    expect(two.consume(key, nowMs)).toBe(true);
    await two.flush();
    const allowed = Array.from({ length: 8 }, () => two.consume(key, nowMs));
    expect(allowed.filter(Boolean)).toHaveLength(3);
    await two.flush();
    // The first limiter does not know the other's last requests before it exchanges counts.
    expect(one.consume(key, nowMs)).toBe(true);
    await one.flush();
    expect(one.consume(key, nowMs)).toBe(false);
    expect(await opened.redis.get(opened.prefix + key)).toBe('11');
  });

  it('leaves nothing in Redis for longer than a window', async () => {
    await using limiter = create({ limit: 10 });
    const key = randomUUID();
    limiter.consume(key, nowMs);
    await limiter.flush();
    const lifeMs = await opened.redis.pttl(opened.prefix + key);
    expect(lifeMs).toBeGreaterThan(50_000);
    expect(lifeMs).toBeLessThanOrEqual(60_000);
  });

  it('a limiter ends a window at the same time as other processes', async () => {
    await using limiter = create({ limit: 2 });
    const key = randomUUID();
    // Another process began the window 10 s ago and used it up. Redis has its own clock.
    await opened.redis.set(opened.prefix + key, 2, 'PX', 50_000);
    expect(limiter.consume(key, nowMs)).toBe(true);
    await limiter.flush();
    expect(limiter.consume(key, nowMs)).toBe(false);
    expect(limiter.consume(key, nowMs + 20_000)).toBe(false);
    expect(limiter.consume(key, nowMs + 50_001)).toBe(true);
  });

  it('a limiter with Redis does not carry counts of an ended window into the next', async () => {
    await using limiter = create({ limit: 3 });
    const key = randomUUID();
    for (let at = 0; at < 3; at += 1) limiter.consume(key, nowMs);
    const flushed = limiter.flush();
    nowMs += 60_000;
    expect(limiter.consume(key, nowMs)).toBe(true);
    await flushed;
    expect(limiter.consume(key, nowMs)).toBe(true);
    expect(limiter.consume(key, nowMs)).toBe(true);
    expect(limiter.consume(key, nowMs)).toBe(false);
  });

  it('exchanges counts of thousands of clients at once', async () => {
    await using limiter = create({ limit: 10 });
    const name = randomUUID();
    for (let at = 0; at < 5_001; at += 1) limiter.consume(`${name}${at}`, nowMs);
    await limiter.flush();
    expect(await opened.redis.get(`${opened.prefix}${name}0`)).toBe('1');
    expect(await opened.redis.get(`${opened.prefix}${name}5000`)).toBe('1');
  });

  it('exchanges counts on its own, and once more when it is closed', async () => {
    const key = randomUUID();
    const limiter = create({ limit: 10, flushEveryMs: 5 });
    limiter.consume(key, nowMs);
    const told = () => opened.redis.get(opened.prefix + key);
    await vi.waitUntil(async () => (await told()) === '1', patience);
    await limiter[Symbol.asyncDispose]();
    const closing = create({ limit: 10 });
    closing.consume(key, nowMs);
    await closing[Symbol.asyncDispose]();
    expect(await told()).toBe('2');
  });

  it('a limiter counts alone while Redis is away, and together again afterwards', async () => {
    const faults: string[] = [];
    const onFault = (error: Error) => faults.push(error.message);
    const own = await connectRedis(testRedisUrl, { onFault });
    await using limiter = create({ limit: 5, redis: own, onFault });
    const key = randomUUID();
    expect(limiter.consume(key, nowMs)).toBe(true);
    await limiter.flush();
    own.disconnect();
    await vi.waitUntil(() => own.status === 'end', patience);
    for (let at = 0; at < 3; at += 1) {
      expect(limiter.consume(key, nowMs)).toBe(true);
      await limiter.flush();
    }
    expect(faults).toEqual(['Redis is unavailable; each process counts public requests alone']);
    await own.connect();
    expect(limiter.consume(key, nowMs)).toBe(true);
    expect(limiter.consume(key, nowMs)).toBe(false);
    await limiter.flush();
    expect(await opened.redis.get(opened.prefix + key)).toBe('5');
    own.disconnect();
  });
});

describe('a limiter without Redis', () => {
  it('a limiter without Redis counts alone, and reports it once a minute', async () => {
    const faults: Error[] = [];
    const redis = await connectRedis('redis://127.0.0.1:9', { onFault: () => {} });
    await using limiter = createRedisLimiter({
      redis,
      prefix: 'podstead-test:',
      clock,
      limit: 3,
      onFault: (error) => faults.push(error),
      flushEveryMs: never,
    });
    for (let minute = 1; minute <= 3; minute += 1) {
      for (let at = 0; at < 3; at += 1) {
        expect(limiter.consume('192.0.2.1', nowMs)).toBe(true);
        await limiter.flush();
      }
      expect(limiter.consume('192.0.2.1', nowMs)).toBe(false);
      expect(faults).toHaveLength(minute);
      nowMs += 60_000;
    }
    redis.disconnect();
  });

  it('continues after a failed exchange, and reports no count twice', async () => {
    const exchange = vi.fn(async (..._args: unknown[]): Promise<number[]> => {
      throw new Error('Command timed out');
    });
    const faults: string[] = [];
    const limiter = createRedisLimiter({
      redis: { status: 'ready', eval: exchange } as unknown as Redis,
      prefix: 'podstead-test:',
      clock,
      limit: 3,
      onFault: (error) => faults.push(error.message),
      flushEveryMs: never,
    });
    for (let at = 0; at < 2; at += 1) {
      expect(limiter.consume('192.0.2.1', nowMs)).toBe(true);
      await limiter.flush();
    }
    expect(faults).toEqual(['Command timed out']);
    exchange.mockResolvedValue([2, 60_000]);
    expect(limiter.consume('192.0.2.1', nowMs)).toBe(true);
    expect(limiter.consume('192.0.2.1', nowMs)).toBe(false);
    await limiter[Symbol.asyncDispose]();
    expect(exchange.mock.calls.map((args) => args.at(-1))).toEqual([1, 1, 1]);
  });

  it('a limiter without Redis does not wait for a host that accepts the connection and never responds', async () => {
    const server = createServer((socket) => socket.on('error', () => {}));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const redis = await connectRedis(`redis://127.0.0.1:${port}`, { onFault: () => {} });
    await using limiter = createRedisLimiter({
      redis,
      prefix: 'podstead-test:',
      limit: 1,
      onFault: () => {},
      flushEveryMs: never,
    });
    expect(limiter.consume('192.0.2.1', nowMs)).toBe(true);
    await limiter.flush();
    expect(limiter.consume('192.0.2.1', nowMs)).toBe(false);
    redis.disconnect();
    server.close();
  });
});
