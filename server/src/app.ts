import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config/config.ts';
import { prepareDataFolder } from './config/data-folder.ts';
import { ConfigError } from './config/environment.ts';
// Not from the index of downloads: it loads much that a simple list command does not need.
import { openClients } from './domain/audience/downloads/clients/index.ts';
import { DownloadCounts } from './domain/audience/downloads/delivery/download-counts.ts';
import { NotificationCounts } from './domain/exchange/feed-notifications/notification-counts.ts';
import { PingCounts } from './domain/exchange/sites/pings/send-ping.ts';
import type { WebhookPresenter } from './domain/exchange/webhooks/index.ts';
import { WebhookCounts } from './domain/exchange/webhooks/sending/webhook-counts.ts';
import type { Clients, Context } from './domain/foundation/context.ts';
import type { Tables } from './domain/foundation/database.ts';
import { JobCounts } from './domain/foundation/job.ts';
import { operator, type Principal } from './domain/foundation/principal.ts';
import { PUBLISHED_REDIRECTS, parseRedirectTable } from './domain/foundation/provenance/index.ts';
import { refuseUnfinishedRestore } from './domain/service/backups/unfinished-restore.ts';
import { createCursorCodec } from './lib/cursor.ts';
import type { BlobStore } from './platform/blob-store/blob-store.ts';
import { openDiskBlobStore } from './platform/blob-store/disk-blob-store.ts';
import { type Clock, systemClock } from './platform/clock/clock.ts';
import { type DatabaseConnection, openDatabase } from './platform/database/database.ts';
import { type MigrateOptions, migrate } from './platform/database/migrations/migrate.ts';
import { migrationsFolder } from './platform/database/migrations/migration-files.ts';
import { createDns } from './platform/dns/create-dns.ts';
import type { Dns } from './platform/dns/dns.ts';
import { createGeo } from './platform/geo/create-geo.ts';
import type { Geo } from './platform/geo/geo.ts';
import { createLog, type Log } from './platform/log/log.ts';
import { createFileMailer } from './platform/mailer/create-file-mailer.ts';
import { createSmtpMailer } from './platform/mailer/create-smtp-mailer.ts';
import type { Mailer } from './platform/mailer/mailer.ts';
import { createOutboundHttp } from './platform/outbound-http/create-outbound-http.ts';
import type { OutboundHttp } from './platform/outbound-http/outbound-http.ts';
import { ChildProcesses } from './platform/processes/child-processes.ts';
import { Turns } from './platform/processes/turns.ts';

/** The opened database, stores and ports of an installation. Commands decide what to do with it. */
export interface App extends AsyncDisposable {
  readonly config: Config;
  readonly log: Log;
  readonly database: DatabaseConnection<Tables>;
  readonly geo: Geo;
  /** Counts the requests for audio that this process handles, for its metrics. */
  readonly downloadCounts: DownloadCounts;
  /** Counts the pings that this process sends, for its metrics. */
  readonly pingCounts: PingCounts;
  /** Counts the notifications of feeds that this process sends, for its metrics. */
  readonly notificationCounts: NotificationCounts;
  /** Counts the deliveries to webhooks that this process makes, for its metrics. */
  readonly webhookCounts: WebhookCounts;
  /** How webhooks are told what the public sees. Commands do not load it. */
  loadWebhookPresenter(): Promise<WebhookPresenter>;
  /** Counts the background jobs that this process runs, for its metrics. */
  readonly jobCounts: JobCounts;
  /** Makes the first argument of a verb, for the principal who acts. */
  contextFor(principal: Principal): Context;
  /** The operator's context, which commands use. */
  readonly ctx: Context;
}

/** Parts that tests replace. */
export interface Overrides {
  readonly log?: Log;
  readonly clock?: Clock;
  readonly database?: DatabaseConnection<Tables>;
  readonly blobs?: BlobStore;
  readonly outbound?: OutboundHttp;
  readonly dns?: Dns;
  readonly mailer?: Mailer;
  readonly geo?: Geo;
  readonly processes?: ChildProcesses;
}

/**
 * The composition root: opens and migrates the database, and opens all ports. Throws NoTablesError
 * if the database is empty and must not be (`mayBegin`: false), and BackupRefusedError while a restore
 * into it has not ended, unless it is opened for one (`first`).
 */
export async function createApp(
  config: Config,
  overrides: Overrides = {},
  migrating: MigrateOptions = {},
): Promise<App> {
  await using opened = new AsyncDisposableStack();
  const log = overrides.log ?? createLog(config.logLevel);
  for (const warning of config.warnings) log.warn(warning);
  const warning = prepareDataFolder(config.dataDir, config.http.accelRedirect !== undefined);
  if (warning !== undefined) log.warn(warning);
  const clients = await readClients(config);
  const database = overrides.database ?? opened.use(await openOwnDatabase(config, log));
  await database.refuseUnsuitable();
  const refuse = migrating.first === undefined ? refuseUnfinishedRestore : undefined;
  await migrate(database, migrationsFolder, { ...migrating, log, refuse });
  const blobs = overrides.blobs ?? opened.use(await openBlobStore(config));
  const shared = {
    db: database.query,
    announcements: database.announcements,
    blobs,
    outbound: overrides.outbound ?? opened.use(openOutbound(config)),
    dns: overrides.dns ?? createDns(config.domains.dnsServers),
    processes: overrides.processes ?? opened.use(new ChildProcesses()),
    longWrites: new Turns(1, { mostOfOwner: 1 }),
    mailer: overrides.mailer ?? createMailer(config, log),
    clock: overrides.clock ?? systemClock,
    log,
    installation: describeInstallation(config, clients),
  };
  const contextFor = (principal: Principal): Context => ({ ...shared, principal });
  const resources = opened.move();
  return {
    config,
    log,
    database,
    geo: overrides.geo ?? createGeo(log),
    downloadCounts: new DownloadCounts(),
    pingCounts: new PingCounts(),
    notificationCounts: new NotificationCounts(),
    webhookCounts: new WebhookCounts(),
    jobCounts: new JobCounts(),
    loadWebhookPresenter: () => loadWebhookPresenter(shared.installation),
    contextFor,
    ctx: contextFor(operator),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function loadWebhookPresenter(hosts: Context['installation']): Promise<WebhookPresenter> {
  const { createWebhookPresenter } = await import('./http/v1/present-webhooks.ts');
  return createWebhookPresenter(hosts);
}

function openOutbound({ outboundAllow, baseUrl }: Config): OutboundHttp {
  const ownPorts = [Number(new URL(baseUrl).port)];
  const userAgent = `Podstead/1.0 (+${baseUrl})`;
  return createOutboundHttp({ allow: outboundAllow, ownPorts, userAgent });
}

async function readClients({ agentLists }: Config): Promise<Clients> {
  try {
    return await openClients(agentLists);
  } catch (error) {
    throw new ConfigError([`AGENT_LISTS: ${(error as Error).message}.`]);
  }
}

async function openOwnDatabase(config: Config, log: Log): Promise<DatabaseConnection<Tables>> {
  const { database, diskReserveBytes: spareBytes } = config;
  return await openDatabase<Tables>({ ...database, spareBytes, log });
}

async function openBlobStore(config: Config): Promise<BlobStore> {
  const { blobs, dataDir, diskReserveBytes: spareBytes } = config;
  const room = { spareBytes };
  if (blobs.kind === 'disk') return await openDiskBlobStore(blobs.folder, { room });
  // Loaded only if it is used: the S3 client takes 35 MB of memory.
  const { openS3BlobStore } = await import('./platform/blob-store/s3-blob-store.ts');
  const { endpoint, ...s3 } = blobs;
  return await openS3BlobStore({
    ...s3,
    ...(endpoint === undefined ? {} : { endpoint }),
    scratchDir: join(dataDir, 'scratch'),
    room,
  });
}

function createMailer({ mail: { from: sender, smtpUrl, folder } }: Config, log: Log): Mailer {
  if (smtpUrl === undefined) return createFileMailer({ folder, sender, log });
  return createSmtpMailer({ url: smtpUrl, sender });
}

function describeInstallation(config: Config, clients: Clients): Context['installation'] {
  const { baseUrl, embedUrl, defaultPlan, signUp, terms, fingerprintHosts } = config;
  const { overageSuspend, operatorEmail, feedNotifications, publicDirectory, cardFonts } = config;
  const redirectTable =
    fingerprintHosts === undefined
      ? PUBLISHED_REDIRECTS
      : parseRedirectTable(JSON.parse(readFileSync(fingerprintHosts, 'utf8')));
  // A derived key: no other use of the secret can reveal a tag.
  const tagKey = createHmac('sha256', config.secret).update('podstead tags v1').digest();
  const emailsFolder = config.mail.smtpUrl === undefined ? config.mail.folder : undefined;
  const access = { defaultPlan, signUp, emailsFolder, terms, overageSuspend };
  const operation = { backsUp: config.backups !== undefined, operatorEmail, cardFonts };
  const domainTarget = config.domains.target;
  const addresses = { baseUrl, embedUrl, domainTarget, feedNotifications, publicDirectory };
  const cursors = createCursorCodec(config.secret);
  return { ...addresses, ...access, ...operation, redirectTable, clients, cursors, tagKey };
}
