import type { App } from './app.ts';
import { claimPort } from './claim-port.ts';
import type { DeliveryCounter } from './domain/downloads/index.ts';
import { createKeyUseRecorder } from './domain/keys/index.ts';
import { anyone, system } from './domain/principal.ts';
import { createHttp, type Http, type HttpOptions } from './http/create-http.ts';
import { keepPlayer } from './http/embed/index.ts';
import { openDeliveryCounter } from './open-delivery-counter.ts';
import { openLimits } from './open-limits.ts';
import { pendingMigrations } from './platform/database/migrate.ts';
import { migrationsFolder } from './platform/database/migration-files.ts';
import { startMetrics } from './start-metrics.ts';

export interface RunningHttp extends AsyncDisposable {
  /** Where it listens. */
  readonly url: string;
}

// Of the ten seconds that a process has for its end; the rest is for the stores.
const finishRequestsMs = 4_000;
const sweepIdleMs = 100;

/**
 * Serves HTTP for an app, and /metrics where a port is set for it. Disposing takes
 * no new requests, finishes those under way, and after 4 s cuts off what is left.
 */
export async function startHttp(app: App): Promise<RunningHttp> {
  await using opened = new AsyncDisposableStack();
  const { config } = app;
  const { limits, faults } = await openLimits(app, opened);
  const downloads = opened.use(openDeliveryCounter(app));
  // Meanwhile the rest is opened. A response that waits for it in memory is lost with its process.
  const prepared = config.accessLog === undefined ? downloads.prepare() : undefined;
  const keyUses = opened.use(createKeyUseRecorder(app.contextFor(system), app.geo));
  const http = opened.use(
    await createHttp({
      ctx: app.contextFor(anyone),
      limits,
      keyUses,
      secret: config.secret,
      trustProxy: config.http.trustProxy,
      accelRedirect: config.http.accelRedirect,
      ...mediaListeners(app, downloads),
      readiness: createReadiness(app),
    }),
  );
  await keepScript(app);
  warnOfUncounted(app);
  const serving = { requests: http.counts, limitFaults: faults, keyUses };
  opened.use(await startMetrics(app, { serving, journal: () => downloads.metrics() }));
  await prepared;
  const { host, port } = config.http;
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

/** A log that is followed has each of these requests too. */
function mediaListeners(
  { config }: App,
  { begin, record }: DeliveryCounter,
): Pick<HttpOptions, 'onMediaRequest' | 'onMediaResponse'> {
  if (config.accessLog !== undefined) return {};
  return { onMediaRequest: begin, onMediaResponse: record };
}

/** nginx tells only its log what it has delivered. */
function warnOfUncounted({ config, log }: App): void {
  if (config.http.accelRedirect === undefined || config.accessLog !== undefined) return;
  log.warn('no downloads are counted: with X_ACCEL_REDIRECT, set ACCESS_LOG to the log of nginx');
}

/** A store that is away for a moment is no reason not to start. */
async function keepScript({ ctx, log }: App): Promise<void> {
  try {
    await keepPlayer(ctx.blobs);
  } catch (error) {
    log.warn({ err: error }, 'the script of the player could not be kept');
  }
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
