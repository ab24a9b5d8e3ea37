import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { limitsOfNetwork } from '../../lib/client-network.ts';
import { reportRarely } from '../../lib/report-rarely.ts';
import { type Clock, systemClock } from '../clock/clock.ts';
import type { ApproximateLimiter, LimiterOptions } from './approximate-limiter.ts';
import { evaluate } from './connect-redis.ts';
import { type LimitWindow, LimitWindows } from './limit-windows.ts';

export interface RedisLimiterOptions extends LimiterOptions {
  /** From `connectRedis`; stays open when the limiter is disposed. */
  readonly redis: Redis;
  /** Prefix of every key; the same in all processes that share counts. */
  readonly prefix: string;
  /** Called at most once a minute while Redis is down; this process then counts alone. */
  readonly onFault: (error: Error) => void;
  /** How often to exchange counts; default 200. */
  readonly flushEveryMs?: number;
  /** The same clock as `consume` uses. */
  readonly clock?: Clock;
}

export interface RedisLimiter extends ApproximateLimiter {
  /** Exchanges counts now; never rejects. */
  flush(): Promise<void>;
}

const defaultFlushEveryMs = 200;
const closeWithinMs = 300;
/** Keys per script call; Redis serves nobody else in the meantime. */
const keysPerScript = 1_000;

// The first process to count starts the window for all. The script returns its remaining time with
// the total, so that all processes end it together.
const addCounts = `
local reply = {}
for at, key in ipairs(KEYS) do
  redis.call('SET', key, 0, 'PX', ARGV[1], 'NX')
  reply[2 * at - 1] = redis.call('INCRBY', key, ARGV[at + 1])
  reply[2 * at] = redis.call('PTTL', key)
end
return reply
`;

/**
 * Shares counts with other processes through Redis, but decides from memory: its own counts plus
 * the last known counts of others. Up to a fifth of a second's requests may exceed the limit.
 */
export function createRedisLimiter(options: RedisLimiterOptions): RedisLimiter {
  return new SharedLimiter(options);
}

class SharedLimiter implements RedisLimiter {
  readonly #redis: Redis;
  readonly #prefix: string;
  readonly #clock: Clock;
  readonly #windows: LimitWindows;
  readonly #report: (error: Error) => void;
  readonly #limit: number;
  readonly #timer: NodeJS.Timeout;
  #waiting: LimitWindow[] = [];
  #exchange: Promise<void> | undefined;

  constructor(options: RedisLimiterOptions) {
    this.#redis = options.redis;
    this.#prefix = options.prefix;
    this.#clock = options.clock ?? systemClock;
    this.#windows = new LimitWindows(options);
    this.#report = reportRarely(options.onFault, () => this.#clock.now().getTime());
    this.#limit = options.limit;
    const everyMs = options.flushEveryMs ?? defaultFlushEveryMs;
    this.#timer = setInterval(() => this.flush(), everyMs).unref();
  }

  consume(network: string, nowMs: number): boolean {
    if (this.#limit === 0) return true;
    const windows = this.#windows.consume(limitsOfNetwork(network, this.#limit), nowMs);
    if (windows === undefined) return false;
    for (const window of windows) {
      if (window.isWaiting) continue;
      window.isWaiting = true;
      this.#waiting.push(window);
    }
    return true;
  }

  isUsedUp(network: string, nowMs: number): boolean {
    if (this.#limit === 0) return false;
    return this.#windows.isUsedUp(limitsOfNetwork(network, this.#limit), nowMs);
  }

  flush(): Promise<void> {
    this.#exchange ??= this.#exchangeCounts().finally(() => {
      this.#exchange = undefined;
    });
    return this.#exchange;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    const last = (this.#exchange ?? Promise.resolve()).then(() => this.flush());
    // The counts are worth no more than this, if Redis does not respond.
    await Promise.race([last, sleep(closeWithinMs, undefined, { ref: false })]);
  }

  async #exchangeCounts(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const window of waiting) window.isWaiting = false;
    if (waiting.length === 0) return;
    if (this.#redis.status !== 'ready') {
      // No backlog: the next request of a window reports its whole count.
      const message = 'Redis is unavailable; each process counts public requests alone';
      return this.#report(new Error(message));
    }
    const nowMs = this.#clock.now().getTime();
    const current = waiting.filter((window) => window.endsAtMs > nowMs);
    const batches: LimitWindow[][] = [];
    for (let at = 0; at < current.length; at += keysPerScript) {
      batches.push(current.slice(at, at + keysPerScript));
    }
    const results = await Promise.allSettled(batches.map((batch) => this.#sendBatch(batch)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) this.#report(failed.reason as Error);
  }

  /**
   * Counts as reported even if it fails: letting a few requests through is better than counting
   * them twice.
   */
  async #sendBatch(batch: readonly LimitWindow[]): Promise<void> {
    const keys = batch.map(({ key }) => this.#prefix + key);
    const deltas = batch.map(({ mine, told }) => mine - told);
    const sent = batch.map((window) => {
      window.told = window.mine;
      return { window, endsAtMs: window.endsAtMs, told: window.mine };
    });
    const args = [this.#windows.windowMs, ...deltas];
    const reply = await evaluate(this.#redis, addCounts, keys, args, 2 * keys.length);
    const nowMs = this.#clock.now().getTime();
    for (const [at, { window, endsAtMs, told }] of sent.entries()) {
      // The client's next window may have begun since.
      if (window.endsAtMs !== endsAtMs) continue;
      const [total = 0, lifeMs = 0] = reply.slice(2 * at, 2 * at + 2);
      window.others = Math.max(0, total - told);
      if (lifeMs > 0) window.endsAtMs = nowMs + lifeMs;
    }
  }
}
