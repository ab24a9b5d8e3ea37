import { Counter, Gauge, type Registry } from 'prom-client';
import { countPingBacklog, type PingCounts } from '../domain/exchange/sites/pings/index.ts';
import type { Context } from '../domain/foundation/context.ts';

/** Adds the metrics of pings: sent by this process, and waiting in the whole installation. */
export function addPingMetrics(registry: Registry, ctx: Context, counts: PingCounts): void {
  const registers = [registry];
  new Counter({
    name: 'podstead_pings_total',
    help: 'Pings to connected sites, by result',
    labelNames: ['result'],
    registers,
    collect() {
      this.reset();
      this.inc({ result: 'sent' }, counts.sent);
      this.inc({ result: 'failed' }, counts.failed);
    },
  });
  new Gauge({
    name: 'podstead_ping_sites',
    help: 'Sites by their pings: due now, failing and retried, given up until they call',
    labelNames: ['state'],
    registers,
    async collect() {
      this.reset();
      const backlog = await countPingBacklog(ctx).catch(() => undefined);
      if (backlog === undefined) return;
      this.set({ state: 'due' }, backlog.due);
      this.set({ state: 'failing' }, backlog.failing);
      this.set({ state: 'given_up' }, backlog.givenUp);
    },
  });
}
