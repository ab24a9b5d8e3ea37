import { once } from 'node:events';
import type { App } from './app.ts';
import { anyone } from './domain/actor.ts';
import { createHttp, type Http } from './http/create-http.ts';
import { createMetrics, createMetricsServer } from './http/metrics.ts';
import { describeApi } from './http/openapi.ts';
import { apiRoutes } from './http/routes.ts';
import { exampleBaseUrl } from './http/v1/about.ts';
import { pendingMigrations } from './platform/database/migrate.ts';
import { migrationsFolder } from './platform/database/migration-files.ts';
import type { ApproximateLimiter } from './platform/rate-limiter/approximate-limiter.ts';
import { connectRedis } from './platform/rate-limiter/connect-redis.ts';
import { createMemoryLimiter } from './platform/rate-limiter/create-memory-limiter.ts';
import { createRedisLimiter } from './platform/rate-limiter/create-redis-limiter.ts';

/** What the long-running processes are composed of, on an installation that stands. */
export interface RunningServer extends AsyncDisposable {
  /** Where it listens, for those on this machine. */
  readonly url: string;
}

/** A port of ours is another's, or not to be had. */
export class ListenError extends Error {
  constructor(message: string, options: ErrorOptions) {
    super(message, options);
    this.name = 'ListenError';
  }
}

// Of the ten seconds that a stop may take; the rest is for the stores.
const finishRequestsMs = 7_000;
const sweepIdleMs = 100;

/**
 * Serves the API, pages and files, and the background work unless it is switched off. Disposing
 * takes no new requests, finishes those under way within 7 s, and cuts off what is left then.
 */
export async function startServer(app: App): Promise<RunningServer> {
  const { config } = app;
  await using opened = new AsyncDisposableStack();
  const limiter = opened.use(await openLimiter(app, opened));
  const http = opened.use(
    await createHttp({
      ctx: app.contextFor(anyone),
      limiter,
      secret: config.secret,
      trustProxy: config.http.trustProxy,
      accelRedirect: config.http.accelRedirect,
      readiness: {
        database: () => app.database.ping(),
        store: () => app.ctx.blobs.check(),
        migrations: () => refusePending(app),
      },
    }),
  );
  if (config.http.metricsPort !== undefined) {
    opened.use(await serveMetrics(http, config.http.host, config.http.metricsPort));
  }
  const { host, port } = config.http;
  await claimPort(host, port, () => http.server.listen({ host, port }));
  const resources = opened.move();
  return {
    url: localUrl(host, port),
    async [Symbol.asyncDispose]() {
      using _ = hurry(http);
      await resources.disposeAsync();
    },
  };
}

async function openLimiter(app: App, opened: AsyncDisposableStack): Promise<ApproximateLimiter> {
  const { http, redisUrl } = app.config;
  const limit = http.publicRateLimit;
  if (redisUrl === undefined) return createMemoryLimiter({ limit });
  const onFault = (error: Error) => app.log.warn({ err: error }, 'Redis');
  const redis = await connectRedis(redisUrl, { onFault });
  opened.defer(() => redis.disconnect());
  return createRedisLimiter({ redis, limit, prefix: 'podstead:limit:', onFault });
}

async function refusePending(app: App): Promise<void> {
  const pending = await pendingMigrations(app.database, migrationsFolder);
  if (pending.length > 0) throw new Error(`not migrated: ${pending.join(', ')}`);
}

async function serveMetrics(http: Http, host: string, port: number): Promise<AsyncDisposable> {
  const server = createMetricsServer(createMetrics(http.counts));
  await claimPort(host, port, () => once(server.listen(port, host), 'listening'));
  return {
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const listenFailures: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use',
  EACCES: 'may not be listened on',
  EADDRNOTAVAIL: 'is no address of this machine',
  ENOTFOUND: 'is no address of this machine',
};

async function claimPort(
  host: string,
  port: number,
  listen: () => Promise<unknown>,
): Promise<void> {
  try {
    await listen();
  } catch (cause) {
    const reason = listenFailures[(cause as NodeJS.ErrnoException).code ?? ''];
    if (reason === undefined) throw cause;
    throw new ListenError(`Port ${port} of ${host} ${reason}.`, { cause });
  }
}

/** A connection kept alive does not end with its request by itself, and some never end. */
function hurry({ server }: Http): Disposable {
  const sweep = setInterval(() => server.server.closeIdleConnections(), sweepIdleMs);
  const cut = setTimeout(() => server.server.closeAllConnections(), finishRequestsMs);
  return {
    [Symbol.dispose]() {
      clearInterval(sweep);
      clearTimeout(cut);
    },
  };
}

/** What listens everywhere is reached here by the loopback address. */
function localUrl(host: string, port: number): string {
  const loopback: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
  const reached = loopback[host] ?? host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}

/** The OpenAPI document as it is kept in the repository: of no installation in particular. */
export function writeApiDescription(): string {
  return `${JSON.stringify(describeApi(apiRoutes, exampleBaseUrl), null, 2)}\n`;
}
