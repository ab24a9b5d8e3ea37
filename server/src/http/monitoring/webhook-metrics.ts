import { Counter, Gauge, type Registry } from 'prom-client';
import { countWebhookBacklog, type WebhookCounts } from '../../domain/exchange/webhooks/index.ts';
import type { Context } from '../../domain/foundation/context.ts';

/** Adds the metrics of webhooks: requests of this process, and webhooks of the whole installation. */
export function addWebhookMetrics(registry: Registry, ctx: Context, counts: WebhookCounts): void {
  const registers = [registry];
  new Counter({
    name: 'podstead_webhook_deliveries_total',
    help: 'Requests to webhooks, by result',
    labelNames: ['result'],
    registers,
    collect() {
      this.reset();
      this.inc({ result: 'delivered' }, counts.delivered);
      this.inc({ result: 'failed' }, counts.failed);
    },
  });
  new Gauge({
    name: 'podstead_webhooks',
    help: 'Webhooks by state: due now, failing and retried, off because they failed',
    labelNames: ['state'],
    registers,
    async collect() {
      this.reset();
      const backlog = await countWebhookBacklog(ctx).catch(() => undefined);
      if (backlog === undefined) return;
      this.set({ state: 'due' }, backlog.due);
      this.set({ state: 'failing' }, backlog.failing);
      this.set({ state: 'off' }, backlog.off);
    },
  });
}
