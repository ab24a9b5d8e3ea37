import type { Socket } from 'node:net';
import type { Redis } from 'ioredis';
import { reportRarely } from '../../lib/report-rarely.ts';

const connectTimeoutMs = 2_000;
const commandTimeoutMs = 1_000;
// A connection without a response for so long is replaced.
const silenceMs = 1_500;
/** Far more than all exchanges of a second. */
const mostBytesPerSecond = 16 * 1024 * 1024;
const longestPauseMs = 3_000;

/**
 * A Redis connection that never makes anyone wait while Redis is down: commands fail at once, and
 * it reconnects in the background. Resolves when it is ready or the first attempt has failed. Calls
 * `onFault` at most once a minute. Close it with `disconnect()`.
 */
export async function connectRedis(
  url: string,
  options: { onFault: (error: Error) => void },
): Promise<Redis> {
  const report = reportRarely(options.onFault);
  // Loaded only if it is used.
  const { Redis: Client } = await import('ioredis');
  const redis: Redis = new Client(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    autoResendUnfulfilledCommands: false,
    connectTimeout: connectTimeoutMs,
    commandTimeout: commandTimeoutMs,
    socketTimeout: silenceMs,
    retryStrategy: (tries) => Math.min(tries * 200, longestPauseMs),
  });
  // Without a listener, ioredis would log every error to the console.
  redis.on('error', report);
  redis.on('connect', () => limitBytes(redis, report));
  const settled = Promise.withResolvers<void>();
  redis.once('ready', settled.resolve);
  redis.once('close', settled.resolve);
  // A host that accepts the connection and stays silent triggers no event.
  const timer = setTimeout(settled.resolve, connectTimeoutMs);
  await settled.promise;
  clearTimeout(timer);
  return redis;
}

/**
 * Runs a script that returns `length` whole numbers. Rejects if Redis returns anything else, so that the caller
 * counts alone rather than wrongly. Replaces a connection whose reply is late, because it may go on for ever, or
 * whose server has become a replica: the name may lead to the new primary.
 */
export async function evaluate(
  redis: Redis,
  script: string,
  keys: readonly string[],
  values: readonly number[],
  length: number,
): Promise<readonly number[]> {
  const reply: unknown = await redis
    .eval(script, keys.length, ...keys, ...values)
    .catch((error: Error) => {
      const isUseless = error.message === 'Command timed out' || error.message.includes('READONLY');
      if (isUseless) streamOf(redis)?.destroy();
      throw error;
    });
  const isFit = Array.isArray(reply) && reply.length === length;
  if (!isFit || !reply.every(Number.isSafeInteger)) {
    throw new Error('Redis returned something other than the numbers of its script');
  }
  return reply as number[];
}

/** Replaces a connection that sends far more than we asked for: a reply waits in memory until its end. */
function limitBytes(redis: Redis, report: (error: Error) => void): void {
  const stream = streamOf(redis);
  if (stream === undefined) return;
  let before = 0;
  const timer = setInterval(() => {
    before = stream.bytesRead;
  }, 1_000);
  timer.unref();
  stream.on('data', () => {
    if (stream.bytesRead - before <= mostBytesPerSecond) return;
    report(new Error('Redis sends more than was asked for'));
    stream.destroy();
  });
  stream.once('close', () => clearInterval(timer));
}

/** A private field of ioredis; undefined in tests that replace it. */
function streamOf(redis: Redis): Socket | undefined {
  return (redis as unknown as { readonly stream?: Socket }).stream;
}
