import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import type { Redis } from 'ioredis';
import { connectRedis } from '../../src/platform/rate-limiter/connect-redis.ts';

const { CI, TEST_REDIS_URL = 'redis://127.0.0.1:6379' } = process.env;

/** The Redis that tests use. */
export const testRedisUrl = withoutTimeLimit(TEST_REDIS_URL);

/** Sets no time limit for commands in the URL, so that a busy machine does not fail tests. */
function withoutTimeLimit(address: string): string {
  const url = new URL(address);
  url.searchParams.set('commandTimeout', 'none');
  url.searchParams.set('socketTimeout', '60000');
  return url.href;
}

/** Whether Redis responds. In CI it throws if Redis does not. */
export async function redisAvailable(): Promise<boolean> {
  const { hostname, port } = new URL(testRedisUrl);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host: hostname, port: Number(port || 6379) });
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  const isThere = await promise;
  socket.destroy();
  if (isThere) return true;
  const message = `no Redis answers at ${testRedisUrl}`;
  if (CI === 'true') throw new Error(message);
  process.stderr.write(`SKIPPED: counting through Redis is not tested, ${message}.\n`);
  return false;
}

// One script, because separate commands for thousands of keys would take seconds.
const ageKeys = `
for _, key in ipairs(redis.call('KEYS', ARGV[1])) do
  redis.call('PEXPIRE', key, redis.call('PTTL', key) - ARGV[2])
end
`;

export interface TestRedis extends AsyncDisposable {
  readonly redis: Redis;
  /** The prefix of all keys of these tests. They are deleted when the connection is closed. */
  readonly prefix: string;
  /** Shortens the lifetime of all keys, because Redis uses the real clock. */
  age(ms: number): Promise<void>;
}

/** A connection for tests that expect no fault: it waits for responses as long as a busy machine needs. */
export async function connectTestRedis(): Promise<Redis> {
  const redis = await connectRedis(testRedisUrl, { onFault: failTest });
  redis.options.commandTimeout = 60_000;
  return redis;
}

export async function openTestRedis(): Promise<TestRedis> {
  const redis = await connectTestRedis();
  const prefix = `podstead-test:${randomUUID()}:`;
  async function age(ms: number): Promise<void> {
    await redis.eval(ageKeys, 0, `${prefix}*`, ms);
  }
  return {
    redis,
    prefix,
    age,
    async [Symbol.asyncDispose]() {
      await age(3_600_000);
      redis.disconnect();
    },
  };
}

/** For tests that expect no fault. */
export function failTest(error: Error): never {
  throw error;
}
