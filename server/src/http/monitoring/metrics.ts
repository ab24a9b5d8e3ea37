import { createServer, type Server } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { KeyUseRecorder } from '../../domain/access/keys/index.ts';
import type { DownloadCounts, JournalMetrics } from '../../domain/audience/downloads/index.ts';
import type { NotificationCounts } from '../../domain/exchange/feed-notifications/index.ts';
import { countPingBacklog, type PingCounts } from '../../domain/exchange/sites/pings/index.ts';
import type { WebhookCounts } from '../../domain/exchange/webhooks/index.ts';
import type { Context } from '../../domain/foundation/context.ts';
import { countEmails } from '../../domain/foundation/emails/index.ts';
import type { OwnDomains } from '../../domain/publishing/domains/index.ts';
import { findLastBackup } from '../../domain/service/backups/index.ts';
import { requestedHost } from '../../lib/host-name.ts';
import type { Log } from '../../platform/log/log.ts';
import { addPartMetrics, type PartSources } from './part-metrics.ts';
import type { RequestCounts } from './request-counts.ts';
import { addWebhookMetrics } from './webhook-metrics.ts';

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
  readonly notifications: NotificationCounts;
  readonly webhooks: WebhookCounts;
  readonly parts: PartSources;
}

/**
 * The metrics of /metrics: the process's own state, requests by route group (the label `surface`)
 * and status, minutes without Redis, the counting of downloads, pings to sites, notifications of
 * feeds, webhooks, background jobs, the parts that the process needs, and the emails and last backup
 * of the whole installation.
 */
export function createMetrics(sources: MetricsSources): Registry {
  const { ctx, serving, downloads, pings, notifications, webhooks, parts } = sources;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  if (serving !== undefined) addServingMetrics(registry, serving);
  addDownloadMetrics(registry, downloads);
  addPingMetrics(registry, ctx, pings);
  addNotificationMetrics(registry, notifications);
  addWebhookMetrics(registry, ctx, webhooks);
  addPartMetrics(registry, parts);
  addInstallationMetrics(registry, ctx);
  return registry;
}

/** Adds what the database says of the whole installation, which is the same in every process. */
function addInstallationMetrics(registry: Registry, ctx: Context): void {
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
  new Gauge({
    name: 'podstead_backup_age_seconds',
    help: 'Since the rows of the last complete backup were read; absent without one',
    registers: [registry],
    async collect() {
      this.reset();
      const backup = await findLastBackup(ctx).catch(() => undefined);
      const ageMs = ctx.clock.now().getTime() - (backup?.createdAt.getTime() ?? Number.NaN);
      // Not of a backup from the future: its age would look small for years.
      if (ageMs >= 0) this.set(ageMs / 1000);
      else this.remove();
    },
  });
}

function addServingMetrics(
  registry: Registry,
  { requests, limitFaults, keyUses }: ServingSources,
): void {
  new Counter({
    name: 'podstead_http_requests_total',
    help: 'Responses, by surface and status',
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
    help: 'Minutes in which Redis was unavailable and this process counted limits alone',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(limitFaults());
    },
  });
  new Counter({
    name: 'podstead_key_uses_dropped_total',
    help: 'Uses of API keys that could not be recorded',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(keyUses.droppedCount);
    },
  });
}

/** Serves only `/metrics`, on its own port, which operators need not make public. */
/** `domains`: undefined if the process serves no requests. */
export function createMetricsServer(registry: Registry, log: Log, domains?: KnownDomains): Server {
  return createServer(async (request, response) => {
    if (domains !== undefined && request.url?.startsWith('/tls-allowed?')) {
      response.writeHead(statusOfDomain(request.url, domains)).end();
      return;
    }
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

export type KnownDomains = Pick<OwnDomains, 'find' | 'isCurrent'>;

/**
 * `/tls-allowed?domain=HOST`: whether a web server may obtain a certificate for it (DOMAIN-6). 503 if the
 * database has been away for so long that the domain may be another show's by now.
 */
function statusOfDomain(url: string, domains: KnownDomains): 200 | 404 | 503 {
  if (!domains.isCurrent()) return 503;
  const host = requestedHost(new URLSearchParams(url.slice(url.indexOf('?'))).get('domain') ?? '');
  return host !== undefined && domains.find(host) !== undefined ? 200 : 404;
}

export interface DownloadSources {
  readonly counts: DownloadCounts;
  readonly journal: () => JournalMetrics;
}

/** Adds the metrics of the download counter of this process. */
function addDownloadMetrics(registry: Registry, { counts, journal }: DownloadSources): void {
  const prefix = 'podstead_downloads_';
  const registers = [registry];
  const addCounter = (name: string, help: string, read: () => number) =>
    new Counter({
      name: `${prefix}${name}`,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  const addGauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name: `${prefix}${name}`,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  addCounter('requests_total', 'Audio requests in the totals', () => counts.requests);
  addCounter('counted_total', 'Downloads in the totals', () => counts.counted);
  addCounter('dropped_total', 'Audio requests that were lost', () => journal().dropped);
  const withoutDetails = 'Requests that are counted, but whose details are not kept';
  addCounter('without_details_total', withoutDetails, () => counts.withoutDetails);
  new Counter({
    name: `${prefix}rejected_total`,
    help: 'Audio requests that are not counted, by reason',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset();
      for (const [reason, count] of counts.rejected) this.inc({ reason }, count);
    },
  });
  addGauge('lag_seconds', 'Age of the oldest request that is not in the totals yet', () =>
    Math.max(journal().lagSeconds, counts.logLagSeconds),
  );
  addGauge('journal_bytes', 'Bytes on disk waiting to be counted', () => journal().journalBytes);
  const newer = 'Bytes on disk that only a newer version can count';
  addGauge('newer_journal_bytes', newer, () => journal().newerJournalBytes);
}

/** Adds the metrics of pings: sent by this process, and waiting in the whole installation. */
function addPingMetrics(registry: Registry, ctx: Context, counts: PingCounts): void {
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
    help: 'Sites by the state of their pings: due now, failing and retried, given up until they call',
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

/** Adds the notifications of feeds that this process sent. */
function addNotificationMetrics(registry: Registry, counts: NotificationCounts): void {
  new Counter({
    name: 'podstead_feed_notifications_total',
    help: 'Notifications of changed feeds, by channel and result',
    labelNames: ['channel', 'result'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { channel, result, count } of counts.entries())
        this.inc({ channel, result }, count);
    },
  });
}
