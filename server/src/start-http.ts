import { once } from 'node:events';
import type { App } from './app.ts';
import { anyone } from './domain/actor.ts';
import { createHttp, type HttpOptions } from './http/create-http.ts';
import { createMetrics, createMetricsServer } from './http/metrics.ts';
import { pendingMigrations } from './platform/database/migrate.ts';
import { migrationsFolder } from './platform/database/migration-files.ts';
import type { ApproximateLimiter } from './platform/rate-limiter/approximate-limiter.ts';
import { connectRedis } from './platform/rate-limiter/connect-redis.ts';
import { createMemoryLimiter } from './platform/rate-limiter/create-memory-limiter.ts';
import { createRedisLimiter } from './platform/rate-limiter/create-redis-limiter.ts';

export interface RunningHttp extends AsyncDisposable {
  /** Where it listens. */
  readonly url: string;
}

/** Serves the whole HTTP surface of an app, and /metrics where a port is set for it. */
export async function startHttp(app: App): Promise<RunningHttp> {
  await using opened = new AsyncDisposableStack();
  const { config } = app;
  const limiter = await openLimiter(app, opened);
  const http = opened.use(
    await createHttp({
      ctx: app.contextFor(anyone),
      limiter,
      secret: config.secret,
      trustProxy: config.http.trustProxy,
      accelRedirect: config.http.accelRedirect,
      readiness: createReadiness(app),
    }),
  );
  if (config.http.metricsPort !== undefined) {
    const metrics = createMetricsServer(createMetrics(http.counts));
    opened.defer(() => void metrics.close());
    await once(metrics.listen(config.http.metricsPort, config.http.host), 'listening');
  }
  const url = await http.server.listen({ port: config.http.port, host: config.http.host });
  const resources = opened.move();
  return { url, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

async function openLimiter(
  { config, log }: App,
  opened: AsyncDisposableStack,
): Promise<ApproximateLimiter> {
  const limit = config.http.publicRateLimit;
  if (config.redisUrl === undefined) return createMemoryLimiter({ limit });
  const onFault = (error: Error) =>
    log.warn({ err: error }, 'Redis is away: requests are counted by this process alone');
  const redis = await connectRedis(config.redisUrl, { onFault });
  opened.defer(() => redis.disconnect());
  return opened.use(createRedisLimiter({ limit, redis, prefix: 'podstead:public:', onFault }));
}

function createReadiness({ database, ctx }: App): HttpOptions['readiness'] {
  return {
    database: () => database.ping(),
    migrations: async () => {
      const pending = await pendingMigrations(database, migrationsFolder);
      if (pending.length > 0) throw new Error(`not applied: ${pending.join(', ')}`);
    },
    store: () => ctx.blobs.check(),
  };
}
