import { once } from 'node:events';
import type { App } from './app.ts';
import { describeParts } from './describe-parts.ts';
import type { JournalMetrics } from './domain/audience/downloads/index.ts';
import { explainPortErrors } from './explain-port-errors.ts';
import {
  createMetrics,
  createMetricsServer,
  type KnownDomains,
  type ServingSources,
} from './http/monitoring/metrics.ts';

export interface MetricsOfProcess {
  /** Undefined if the process serves no requests. */
  readonly serving?: ServingSources;
  /** The same. */
  readonly domains?: KnownDomains;
  readonly journal: () => JournalMetrics;
}

/** Serves /metrics if METRICS_PORT is set, until it is disposed of. Throws PortError. */
export async function startMetrics(
  app: App,
  { serving, domains, journal }: MetricsOfProcess,
): Promise<AsyncDisposable> {
  const { config, ctx, log, downloadCounts: counts, pingCounts: pings } = app;
  const { notificationCounts: notifications, webhookCounts: webhooks } = app;
  const { host, metricsPort: port } = config.http;
  const opened = new AsyncDisposableStack();
  if (port === undefined) return opened;
  const sources = {
    ctx,
    downloads: { counts, journal },
    ...{ pings, notifications, webhooks },
    parts: describeParts(app),
  };
  const server = createMetricsServer(
    createMetrics({ ...sources, ...(serving && { serving }) }),
    log,
    domains,
  );
  opened.defer(() => {
    server.close();
    server.closeAllConnections();
  });
  await explainPortErrors(port, host, () => once(server.listen(port, host), 'listening'));
  return opened;
}
