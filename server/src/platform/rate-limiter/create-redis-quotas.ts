import type { Redis } from 'ioredis';
import { reportRarely } from '../../lib/report-rarely.ts';
import type { Clock } from '../clock/clock.ts';
import { evaluate } from './connect-redis.ts';
import { createMemoryQuotas } from './create-memory-quotas.ts';
import { type Quotas, type QuotasOptions, quotaWindowMs, type Taken } from './quotas.ts';

export interface RedisQuotasOptions extends QuotasOptions {
  /** From `connectRedis`; its owner closes it. */
  readonly redis: Redis;
  /** Prefix of every key; the same in all processes that share counts. */
  readonly prefix: string;
  /** Called at most once a minute while Redis is down; this process then counts alone. */
  readonly onFault: (error: Error) => void;
  readonly clock: Clock;
}

/** A Redis that does not respond would delay every request by its timeout. */
const pauseAfterFaultMs = 5_000;

// One round trip; scripts are atomic, so no two processes take the same last request.
const consumeOne = `
local limit = tonumber(ARGV[1])
redis.call('SET', KEYS[1], 0, 'PX', ARGV[2], 'NX')
local taken = tonumber(redis.call('GET', KEYS[1]))
if taken >= limit then return {0, 0, redis.call('PTTL', KEYS[1])} end
taken = redis.call('INCR', KEYS[1])
return {1, limit - taken, redis.call('PTTL', KEYS[1])}
`;

/** Shares counts with other processes through Redis; counts alone while it is down. */
export function createRedisQuotas(options: RedisQuotasOptions): Quotas {
  const { redis, prefix, clock } = options;
  const report = reportRarely(options.onFault, () => clock.now().getTime());
  const alone = createMemoryQuotas(options);
  let failedAtMs = Number.NEGATIVE_INFINITY;

  async function consumeShared(key: string, limit: number): Promise<Taken> {
    const reply = await evaluate(redis, consumeOne, [prefix + key], [limit, quotaWindowMs], 3);
    const [allowed = 0, remaining = 0, resetsInMs = 0] = reply;
    return { allowed: allowed === 1, remaining, resetsInMs: Math.max(1, resetsInMs) };
  }

  return {
    async consume(key, limit, nowMs) {
      if (redis.status !== 'ready') {
        report(new Error('Redis is unavailable; each process counts keyed requests alone'));
      } else if (Math.abs(nowMs - failedAtMs) >= pauseAfterFaultMs) {
        try {
          return await consumeShared(key, limit);
        } catch (error) {
          failedAtMs = nowMs;
          report(error as Error);
        }
      }
      return alone.consume(key, limit, nowMs);
    },
  };
}
