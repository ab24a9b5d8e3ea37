import type { App } from './app.ts';
import { describeApi } from './http/openapi/describe-public-api.ts';
import { exampleBaseUrl } from './http/openapi/described-fields.ts';
import { writeRouteTable } from './http/route-table.ts';
import { apiRoutes, createRoutes } from './http/routes.ts';
import { loadHtmlReaders } from './lib/html/html-readers.ts';
import { type RunningHttp, startHttp } from './start-http.ts';
import { startMetrics } from './start-metrics.ts';
import { startWorker } from './worker/start-worker.ts';

// Commands use these functions, because cli/ must not import http/ and worker/.

/**
 * Serves the API, pages and files of an app, and does its background work unless that is switched
 * off. Disposing ends both at the same time, within 4 s.
 */
export async function startServer(app: App): Promise<RunningHttp> {
  loadHtmlReaders();
  await using opened = new AsyncDisposableStack();
  const http = opened.use(await startHttp(app));
  const worker = app.config.worker ? opened.use(await startWorker(app)) : undefined;
  opened.move();
  return {
    url: http.url,
    announceStop: () => http.announceStop(),
    async [Symbol.asyncDispose]() {
      await Promise.all([http[Symbol.asyncDispose](), worker?.[Symbol.asyncDispose]()]);
    },
  };
}

/** Does the background work of an app, and serves its metrics. Ends within 4 s. */
export async function startWorkerProcess(app: App): Promise<AsyncDisposable> {
  await using opened = new AsyncDisposableStack();
  const { log, downloadCounts } = app;
  const journal = () => ({
    lagSeconds: 0,
    journalBytes: 0,
    newerJournalBytes: 0,
    dropped: downloadCounts.dropped,
  });
  try {
    opened.use(await startMetrics(app, { journal }));
  } catch (error) {
    // A `serve` process on this machine may have the same settings.
    log.warn({ err: error }, 'this worker has no /metrics: give it a METRICS_PORT of its own');
  }
  opened.use(await startWorker(app));
  return opened.move();
}

/** The OpenAPI document that the repository contains, with an example host. */
export function writeApiDescription(): string {
  return `${JSON.stringify(describeApi(apiRoutes, exampleBaseUrl), null, 2)}\n`;
}

/** Every route, one per line. */
export function listRoutes(): string {
  return writeRouteTable(createRoutes({}));
}
