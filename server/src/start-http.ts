import { once } from 'node:events';
import type { App } from './app.ts';
import { claimPort } from './claim-port.ts';
import { anyone } from './domain/actor.ts';
import { createHttp, type Http, type HttpOptions } from './http/create-http.ts';
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

// Of the ten seconds that a process has for its end; the rest is for the stores.
const finishRequestsMs = 7_000;
const sweepIdleMs = 100;

/**
 * Serves the whole HTTP surface of an app, and /metrics where a port is set for it. Disposing takes
 * no new requests, finishes those under way, and after 7 s cuts off what is left.
 */
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
  const { host, port, metricsPort } = config.http;
  if (metricsPort !== undefined) {
    const metrics = createMetricsServer(createMetrics(http.counts));
    opened.defer(() => {
      metrics.close();
      metrics.closeAllConnections();
    });
    await claimPort(metricsPort, host, () => once(metrics.listen(metricsPort, host), 'listening'));
  }
  const url = await claimPort(port, host, () => http.server.listen({ port, host }));
  const resources = opened.move();
  return {
    url,
    async [Symbol.asyncDispose]() {
      using _ = hurry(http);
      await resources.disposeAsync();
    },
  };
}

/** A connection kept alive does not end with its request by itself, and some requests never end. */
function hurry({ server: { server } }: Http): Disposable {
  const sweep = setInterval(() => server.closeIdleConnections(), sweepIdleMs);
  const cut = setTimeout(() => server.closeAllConnections(), finishRequestsMs);
  return {
    [Symbol.dispose]() {
      clearInterval(sweep);
      clearTimeout(cut);
    },
  };
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
