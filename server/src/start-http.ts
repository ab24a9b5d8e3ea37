import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from './app.ts';
import { describeParts } from './describe-parts.ts';
import { createKeyUseRecorder } from './domain/access/keys/index.ts';
import {
  createDeliveryCounter,
  type DeliveryCounter,
  requestLineFormat,
} from './domain/audience/downloads/index.ts';
import { anyone, system } from './domain/foundation/principal.ts';
import { explainPortErrors } from './explain-port-errors.ts';
import { keepAssets } from './http/app/index.ts';
import { createHttp, type HttpOptions } from './http/create-http.ts';
import { keepPlayer } from './http/embed/index.ts';
import { openLimits } from './open-limits.ts';
import { openJournal } from './platform/journal/open-journal.ts';
import { startMetrics } from './start-metrics.ts';

export interface RunningHttp extends AsyncDisposable {
  /** Where it listens. */
  readonly url: string;
  /** From now on, /readyz responds with 503, and connections end with their next response. */
  announceStop(): void;
}

// Part of the ten seconds that a process has to stop; the rest is for closing the stores.
const finishRequestsMs = 4_000;

/**
 * Serves HTTP for an app, and /metrics if METRICS_PORT is set. Disposing takes no new requests,
 * finishes running ones, and closes the remaining connections after 4 s.
 */
export async function startHttp(app: App): Promise<RunningHttp> {
  await using opened = new AsyncDisposableStack();
  const { config } = app;
  const { limits, faults } = await openLimits(app, opened);
  const downloads = opened.use(openDeliveryCounter(app));
  // Awaited before the first request: a kill would lose responses that wait for it in memory.
  const prepared = config.accessLog === undefined ? downloads.prepare() : undefined;
  const keyUses = opened.use(createKeyUseRecorder(app.contextFor(system), app.geo));
  const stopping = new AbortController();
  const http = opened.use(
    await createHttp({
      ctx: app.contextFor(anyone),
      database: app.database,
      limits,
      keyUses,
      trustProxy: config.http.trustProxy,
      connectionsPerAddress: config.http.connectionsPerAddress,
      accelRedirect: config.http.accelRedirect,
      ...mediaListeners(app, downloads),
      readiness: describeParts(app).checks,
      stopping: stopping.signal,
    }),
  );
  opened.use(keepScripts(app));
  warnOfUncounted(app);
  const serving = { requests: http.counts, limitFaults: faults, keyUses };
  opened.use(
    await startMetrics(app, { serving, domains: http.domains, journal: () => downloads.metrics() }),
  );
  await prepared;
  const { host, port } = config.http;
  const url = await explainPortErrors(port, host, () => http.listen({ port, host }));
  const resources = opened.move();
  return {
    url,
    announceStop: () => stopping.abort(),
    async [Symbol.asyncDispose]() {
      const { server } = http.server;
      const cut = setTimeout(() => server.closeAllConnections(), finishRequestsMs);
      await resources.disposeAsync().finally(() => clearTimeout(cut));
    },
  };
}

/** None if a log is followed: it contains the same requests. */
function mediaListeners(
  { config }: App,
  { begin, record, handOver }: DeliveryCounter,
): Pick<HttpOptions, 'onMediaRequest' | 'onMediaResponse' | 'onMediaHandover'> {
  if (config.accessLog !== undefined) return {};
  return { onMediaRequest: begin, onMediaResponse: record, onMediaHandover: handOver };
}

/** With X-Accel-Redirect, only the log of nginx says how much was delivered. */
function warnOfUncounted({ config, log }: App): void {
  if (config.http.accelRedirect === undefined || config.accessLog !== undefined) return;
  log.warn("no downloads are counted: with X_ACCEL_REDIRECT, set ACCESS_LOG to nginx's access log");
}

const keepAgainMs = 5_000;
const mostWaitMs = 1_000;

/** Doesn't delay the start: the store may be away. Then it is tried again until that is back. */
function keepScripts({ ctx, log, database }: App): AsyncDisposable {
  const ended = new AbortController();
  const { signal } = ended;
  const keeping = (async () => {
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      try {
        await keepPlayer(ctx.blobs);
        // With the embedded database, there is only one process.
        if (database.kind === 'server') await keepAssets(ctx.blobs);
        return;
      } catch (error) {
        if (isFirst)
          log.warn({ err: error }, 'the scripts of the player and the app could not be stored yet');
      }
      await sleep(keepAgainMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  })();
  return {
    async [Symbol.asyncDispose]() {
      ended.abort();
      // Closing the store ends a request that gets no response.
      await Promise.race([keeping, sleep(mostWaitMs, undefined, { ref: false })]);
    },
  };
}

const mebibyte = 1024 * 1024;

/** Enough for twenty minutes of 1,500 requests a second while the database is away. */
const maxBytes = 512 * mebibyte;
const maxUnwrittenBytes = 8 * mebibyte;
/** About 2,000 requests. One transaction counts one segment. */
const segmentBytes = mebibyte / 2;

/** Counts the downloads that this process delivers. They wait in files in `DATA_DIR/downloads`. */
export function openDeliveryCounter({
  config,
  contextFor,
  geo,
  downloadCounts,
}: App): DeliveryCounter {
  const ctx = contextFor(system);
  const journal = openJournal({
    folder: join(config.dataDir, 'downloads'),
    format: requestLineFormat,
    maxBytes,
    maxUnwrittenBytes,
    segmentBytes,
    now: () => ctx.clock.now(),
    report: ({ error, dropped }) =>
      ctx.log.error({ err: error, dropped }, 'audio requests cannot be written to the disk'),
  });
  return createDeliveryCounter(ctx, { geo, journal, counts: downloadCounts });
}
