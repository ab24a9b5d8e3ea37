import type { Redis } from 'ioredis';
import { reportRarely } from '../../lib/report-rarely.ts';

const connectTimeoutMs = 2_000;
const commandTimeoutMs = 1_000;
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
    retryStrategy: (tries) => Math.min(tries * 200, longestPauseMs),
  });
  // Without a listener, ioredis would log every error to the console.
  redis.on('error', report);
  const settled = Promise.withResolvers<void>();
  redis.once('ready', settled.resolve);
  redis.once('close', settled.resolve);
  // A host that accepts the connection and stays silent triggers no event.
  const timer = setTimeout(settled.resolve, connectTimeoutMs);
  await settled.promise;
  clearTimeout(timer);
  return redis;
}
