import { createServer, type Server } from 'node:http';
import { Counter, collectDefaultMetrics, Registry } from 'prom-client';
import type { RequestCounts } from './request-counts.ts';

/** What /metrics shows: the process's own state, and requests by surface and status. */
export function createMetrics(counts: RequestCounts): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Counter({
    name: 'podstead_http_requests_total',
    help: 'Requests answered, by surface and status',
    labelNames: ['surface', 'status'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { surface, status, count } of counts.entries())
        this.inc({ surface, status }, count);
    },
  });
  return registry;
}

/** Its own port, so that it can be kept inside: `/metrics` and nothing else. */
export function createMetricsServer(registry: Registry): Server {
  return createServer(async (request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    const text = await registry.metrics();
    response.writeHead(200, { 'Content-Type': registry.contentType }).end(text);
  });
}
