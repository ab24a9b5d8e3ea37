import type { Redis } from 'ioredis';
import type { Clock } from '../clock/clock.ts';
import {
  type Allowances,
  type AllowancesOptions,
  allowanceWindowMs,
  type Taken,
} from './allowances.ts';
import { createMemoryAllowances } from './create-memory-allowances.ts';
import { reportFaultsRarely } from './report-faults.ts';

export interface RedisAllowancesOptions extends AllowancesOptions {
  /** As `connectRedis` makes it; closed by whoever opened it. */
  readonly redis: Redis;
  /** Put before every key in Redis; the same in all processes that count together. */
  readonly prefix: string;
  /** Hears that Redis is away at most once a minute; requests are then counted here alone. */
  readonly onFault: (error: Error) => void;
  readonly clock: Clock;
}

/** A Redis that does not answer would cost every request its time limit. */
const pauseAfterFaultMs = 5_000;

// One round trip; a script runs at a stretch, so no two processes take the same last request.
const takeOne = `
local limit = tonumber(ARGV[1])
redis.call('SET', KEYS[1], 0, 'PX', ARGV[2], 'NX')
local taken = tonumber(redis.call('GET', KEYS[1]))
if taken >= limit then return {0, 0, redis.call('PTTL', KEYS[1])} end
taken = redis.call('INCR', KEYS[1])
return {1, limit - taken, redis.call('PTTL', KEYS[1])}
`;

/** Counts together with other processes through Redis; alone while that is away. */
export function createRedisAllowances(options: RedisAllowancesOptions): Allowances {
  const { redis, prefix, clock } = options;
  const report = reportFaultsRarely(options.onFault, clock);
  const alone = createMemoryAllowances(options);
  let failedAtMs = Number.NEGATIVE_INFINITY;

  async function takeShared(key: string, limit: number): Promise<Taken> {
    const reply = await redis.eval(takeOne, 1, prefix + key, limit, allowanceWindowMs);
    const [allowed = 0, remaining = 0, resetsInMs = 0] = reply as number[];
    return { allowed: allowed === 1, remaining, resetsInMs: Math.max(1, resetsInMs) };
  }

  return {
    async take(key, limit, nowMs) {
      if (redis.status !== 'ready') {
        report(new Error('Redis is away; keyed requests are counted by each process alone'));
      } else if (Math.abs(nowMs - failedAtMs) >= pauseAfterFaultMs) {
        try {
          return await takeShared(key, limit);
        } catch (error) {
          failedAtMs = nowMs;
          report(error as Error);
        }
      }
      return alone.take(key, limit, nowMs);
    },
  };
}
