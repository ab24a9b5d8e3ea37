import { createServer, type Server } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { KeyUseRecorder } from '../domain/access/keys/index.ts';
import type { PingCounts } from '../domain/exchange/sites/pings/index.ts';
import type { Context } from '../domain/foundation/context.ts';
import { countEmails } from '../domain/foundation/emails/index.ts';
import type { Log } from '../platform/log/log.ts';
import { addDownloadMetrics, type DownloadSources } from './download-metrics.ts';
import { addPingMetrics } from './ping-metrics.ts';
import type { RequestCounts } from './request-counts.ts';

export interface ServingSources {
  readonly requests: RequestCounts;
  readonly limitFaults: () => number;
  readonly keyUses: Pick<KeyUseRecorder, 'droppedCount'>;
}

export interface MetricsSources {
  readonly ctx: Context;
  /** Undefined if the process serves no requests. */
  readonly serving?: ServingSources;
  readonly downloads: DownloadSources;
  readonly pings: PingCounts;
}

/**
 * The metrics of /metrics: the process's own state, requests by route group (the label `surface`)
 * and status, minutes without Redis, the counting of downloads, pings to sites, and the emails of
 * the whole installation.
 */
export function createMetrics(sources: MetricsSources): Registry {
  const { ctx, serving, downloads, pings } = sources;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  if (serving !== undefined) addServingMetrics(registry, serving);
  addDownloadMetrics(registry, downloads);
  addPingMetrics(registry, ctx, pings);
  new Gauge({
    name: 'podstead_emails',
    help: 'Emails by state: waiting, and sent or given up in the last 90 days',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      this.reset();
      // The other metrics are also shown while the database is away.
      const emails = await countEmails(ctx).catch(() => undefined);
      if (emails === undefined) return;
      this.set({ state: 'waiting' }, emails.waiting);
      this.set({ state: 'sent' }, emails.sent);
      this.set({ state: 'given_up' }, emails.givenUp);
    },
  });
  return registry;
}

function addServingMetrics(
  registry: Registry,
  { requests, limitFaults, keyUses }: ServingSources,
): void {
  new Counter({
    name: 'podstead_http_requests_total',
    help: 'Requests answered, by surface and status',
    labelNames: ['surface', 'status'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { group, status, count } of requests.entries())
        this.inc({ surface: group, status }, count);
    },
  });
  new Counter({
    name: 'podstead_limit_faults_total',
    help: 'Minutes in which Redis was away and limits were counted by this process alone',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(limitFaults());
    },
  });
  new Counter({
    name: 'podstead_key_uses_dropped_total',
    help: 'Uses of API keys that could not be kept',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(keyUses.droppedCount);
    },
  });
}

/** Serves only `/metrics`, on its own port, which operators need not make public. */
export function createMetricsServer(registry: Registry, log: Log): Server {
  return createServer(async (request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    try {
      const text = await registry.metrics();
      response.writeHead(200, { 'Content-Type': registry.contentType }).end(text);
    } catch (error) {
      log.error({ err: error }, 'the metrics could not be collected');
      response.writeHead(500).end();
    }
  });
}
