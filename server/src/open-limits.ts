import { createHmac } from 'node:crypto';
import type { App } from './app.ts';
import type { Limits } from './http/create-http.ts';
import { reportRarely } from './lib/report-rarely.ts';
import { connectRedis } from './platform/rate-limiter/connect-redis.ts';
import { createMemoryLimiter } from './platform/rate-limiter/create-memory-limiter.ts';
import { createMemoryQuotas } from './platform/rate-limiter/create-memory-quotas.ts';
import { createRedisLimiter } from './platform/rate-limiter/create-redis-limiter.ts';
import { createRedisQuotas } from './platform/rate-limiter/create-redis-quotas.ts';
import {
  exchangesPerMinute,
  hubRequestsPerMinute,
  refusedRequestsPerMinute,
} from './platform/rate-limiter/request-limits.ts';

export interface OpenedLimits {
  readonly limits: Limits;
  /** The number of minutes in which Redis was away and this process counted alone. */
  faults(): number;
}

/** Counts in this process's memory, or with REDIS_URL in Redis for all processes. */
export async function openLimits(app: App, opened: AsyncDisposableStack): Promise<OpenedLimits> {
  const { redisUrl, http } = app.config;
  if (redisUrl !== undefined) return await openSharedLimits(app, redisUrl, opened);
  const limits = {
    public: createMemoryLimiter({ limit: http.publicRateLimit }),
    refused: createMemoryLimiter({ limit: refusedRequestsPerMinute }),
    exchanges: createMemoryLimiter({ limit: exchangesPerMinute }),
    hub: createMemoryLimiter({ limit: hubRequestsPerMinute }),
    quotas: createMemoryQuotas(),
  };
  return { limits, faults: () => 0 };
}

async function openSharedLimits(
  { config, log, ctx: { clock } }: App,
  redisUrl: string,
  opened: AsyncDisposableStack,
): Promise<OpenedLimits> {
  let faults = 0;
  // Shared by all limiters: they use the same Redis and would report the same fault.
  const onFault = reportRarely(
    (error: Error) => {
      faults += 1;
      log.warn({ err: error }, 'Redis is unavailable; this process counts requests alone');
    },
    () => clock.now().getTime(),
  );
  const redis = await connectRedis(redisUrl, { onFault });
  opened.defer(() => redis.disconnect());
  // Other installations may use the same Redis; the processes of one have the same SECRET.
  const own = createHmac('sha256', config.secret).update('podstead limits v1').digest('base64url');
  const prefixOf = (name: string) => `podstead:${own.slice(0, 8)}:${name}:`;
  const shared = (limit: number, name: string) =>
    opened.use(createRedisLimiter({ limit, redis, prefix: prefixOf(name), onFault }));
  const limits = {
    public: shared(config.http.publicRateLimit, 'public'),
    refused: shared(refusedRequestsPerMinute, 'refused'),
    exchanges: shared(exchangesPerMinute, 'exchanges'),
    hub: shared(hubRequestsPerMinute, 'hub'),
    quotas: createRedisQuotas({ redis, prefix: prefixOf('keyed'), onFault, clock }),
  };
  return { limits, faults: () => faults };
}
