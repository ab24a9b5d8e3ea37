import { Redis } from 'ioredis';
import { type Clock, systemClock } from '../clock/clock.ts';
import { reportFaultsRarely } from './report-faults.ts';

const connectTimeoutMs = 2_000;
const commandTimeoutMs = 1_000;
const longestPauseMs = 3_000;

/**
 * A connection that never makes anybody wait for a Redis that is away: commands fail at once while
 * it is not connected, and it keeps trying in the background. Resolves when it is ready or the
 * first try has failed. `onFault` hears of faults at most once a minute. End it with
 * `disconnect()`.
 */
export async function connectRedis(
  url: string,
  options: { onFault: (error: Error) => void; clock?: Clock },
): Promise<Redis> {
  const report = reportFaultsRarely(options.onFault, options.clock ?? systemClock);
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    autoResendUnfulfilledCommands: false,
    connectTimeout: connectTimeoutMs,
    commandTimeout: commandTimeoutMs,
    retryStrategy: (tries) => Math.min(tries * 200, longestPauseMs),
  });
  // Without a listener ioredis would write every fault to the console.
  redis.on('error', report);
  const settled = Promise.withResolvers<void>();
  redis.once('ready', settled.resolve);
  redis.once('close', settled.resolve);
  // A host that takes the connection and then says nothing settles nothing by itself.
  const timer = setTimeout(settled.resolve, connectTimeoutMs);
  await settled.promise;
  clearTimeout(timer);
  return redis;
}
