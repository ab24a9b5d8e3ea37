import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import type { Installation, Terms } from '../domain/foundation/context.ts';
import type { KeepRule } from '../lib/keep-rule.ts';
import type { LogLevel } from '../platform/log/log-levels.ts';
import { makeDataFolder } from './data-folder.ts';
import { parseSettings, readDotEnv, readEnvironment } from './environment.ts';
import { findMisspeltSettings } from './misspelt-settings.ts';
import type { SettingValues } from './settings.ts';

/** The settings, checked together and grouped by their users. */
export interface Config {
  readonly http: {
    readonly port: number;
    readonly host: string;
    readonly trustProxy: number | readonly string[];
    readonly publicRateLimit: number;
    readonly connectionsPerAddress: number;
    readonly metricsPort: number | undefined;
    readonly accelRedirect: string | undefined;
  };
  readonly baseUrl: string;
  readonly embedUrl: string;
  /** For shows' own domains. */
  readonly domains: {
    readonly target: readonly string[];
    /** Undefined: those of the system. */
    readonly dnsServers: readonly string[] | undefined;
  };
  readonly dataDir: string;
  /** The access log that a worker follows: with one, downloads are counted from it alone. */
  readonly accessLog: string | undefined;
  readonly database:
    | { readonly kind: 'embedded'; readonly dataDir: string }
    | {
        readonly kind: 'server';
        readonly url: string;
        /** Leads to the same database past a pooler. */
        readonly listenUrl?: string | undefined;
        readonly poolSize: number;
      };
  readonly redisUrl: string | undefined;
  readonly blobs:
    | { readonly kind: 'disk'; readonly folder: string }
    | ({ readonly kind: 's3'; readonly bucket: string; readonly prefix: string } & S3Access);
  /** For the bucket of files, and for buckets of backups. */
  readonly s3: S3Access;
  /** How much of the disk stays free. */
  readonly diskReserveBytes: number;
  readonly mail: {
    readonly from: { readonly name: string; readonly address: string };
    /** Undefined: emails are written as files to the folder. */
    readonly smtpUrl: string | undefined;
    readonly folder: string;
  };
  readonly secret: Buffer;
  readonly outboundAllow: readonly string[];
  readonly defaultPlan: string;
  readonly signUp: boolean;
  readonly publicDirectory: boolean;
  /** Absolute paths. */
  readonly cardFonts: readonly string[];
  readonly terms: Terms | undefined;
  readonly overageSuspend: boolean;
  /** Who is notified that a feed has changed. */
  readonly feedNotifications: Installation['feedNotifications'];
  readonly fingerprintHosts: string | undefined;
  readonly agentLists: string | undefined;
  readonly logLevel: LogLevel;
  readonly worker: boolean;
  readonly stopDelaySeconds: number;
  /** Undefined: the operator makes backups, or nobody does. */
  readonly backups:
    | { readonly target: string; readonly keep: KeepRule; readonly minuteOfDay: number }
    | undefined;
  /** Who is told about the installation itself. */
  readonly operatorEmail: string | undefined;
  /** About settings that are probably misspelled; for the log. */
  readonly warnings: readonly string[];
}

export interface S3Access {
  readonly region: string;
  readonly endpoint: string | undefined;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly forcePathStyle: boolean;
}

/** What a command needs that opens a store of files, but no installation. */
export type StoreConfig = Pick<Config, 's3' | 'dataDir' | 'diskReserveBytes'>;

export function loadStoreConfig(env: NodeJS.ProcessEnv = process.env): StoreConfig {
  const dotEnv = readDotEnv(env);
  return groupStores(parseSettings(readEnvironment(env, dotEnv), []));
}

function groupStores(values: SettingValues): StoreConfig {
  return {
    dataDir: resolve(values.DATA_DIR),
    diskReserveBytes: values.DISK_RESERVE * 1024 * 1024,
    s3: {
      region: values.S3_REGION,
      endpoint: values.S3_ENDPOINT,
      accessKeyId: values.S3_ACCESS_KEY_ID ?? '',
      secretAccessKey: values.S3_SECRET_ACCESS_KEY ?? '',
      forcePathStyle: values.S3_FORCE_PATH_STYLE,
    },
  };
}

export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const dotEnv = readDotEnv(env);
  const warnings = findMisspeltSettings(Object.keys({ ...dotEnv, ...env }));
  const values = parseSettings(readEnvironment(env, dotEnv), warnings);
  return { ...createConfig(values), warnings };
}

export function createConfig(values: SettingValues): Config {
  const dataDir = resolve(values.DATA_DIR);
  const baseUrl = values.BASE_URL ?? `http://localhost:${values.PORT}`;
  return {
    http: groupHttp(values),
    baseUrl,
    embedUrl: values.EMBED_URL ?? baseUrl,
    domains: groupDomains(values, baseUrl),
    ...groupStores(values),
    accessLog: values.ACCESS_LOG === undefined ? undefined : resolve(values.ACCESS_LOG),
    database: groupDatabase(values, dataDir),
    redisUrl: values.REDIS_URL,
    blobs: groupBlobs(values, dataDir),
    mail: groupMail(values, { baseUrl, dataDir }),
    secret: values.SECRET === undefined ? ownSecret(dataDir) : Buffer.from(values.SECRET, 'utf8'),
    outboundAllow: values.OUTBOUND_ALLOW,
    defaultPlan: values.DEFAULT_PLAN,
    signUp: values.SIGN_UP,
    publicDirectory: values.PUBLIC_DIRECTORY,
    cardFonts: values.CARD_FONTS ?? [],
    terms:
      values.TERMS_VERSION === undefined
        ? undefined
        : { version: values.TERMS_VERSION, url: values.TERMS_URL },
    overageSuspend: values.OVERAGE_SUSPEND,
    feedNotifications: groupFeedNotifications(values, baseUrl),
    fingerprintHosts: values.FINGERPRINT_HOSTS,
    agentLists: values.AGENT_LISTS,
    logLevel: values.LOG_LEVEL,
    worker: values.WORKER,
    stopDelaySeconds: values.STOP_DELAY,
    backups: groupBackups(values),
    operatorEmail: values.OPERATOR_EMAIL,
    warnings: [],
  };
}

function groupHttp(values: SettingValues): Config['http'] {
  return {
    port: values.PORT,
    host: values.HOST,
    trustProxy: values.TRUST_PROXY ?? 0,
    publicRateLimit: values.PUBLIC_RATE_LIMIT,
    connectionsPerAddress: values.CONNECTIONS_PER_ADDRESS,
    metricsPort: values.METRICS_PORT,
    accelRedirect: values.X_ACCEL_REDIRECT,
  };
}

function groupDatabase(values: SettingValues, dataDir: string): Config['database'] {
  const { DATABASE_URL: url, DATABASE_LISTEN_URL: listenUrl, DATABASE_POOL: poolSize } = values;
  return url === undefined
    ? { kind: 'embedded', dataDir: join(dataDir, 'database') }
    : { kind: 'server', url, listenUrl, poolSize };
}

function groupFeedNotifications(
  values: SettingValues,
  baseUrl: string,
): Config['feedNotifications'] {
  const { PODPING_TOKEN: token, PODPING_URL: url } = values;
  const hub = { url: `${baseUrl}/hub`, allowsHttp: values.OUTBOUND_ALLOW.length > 0 };
  return {
    ownHub: values.WEBSUB ? hub : undefined,
    externalHubs: values.WEBSUB_HUBS,
    podcastIndexUrl: values.PODCAST_INDEX ? values.PODCAST_INDEX_URL : undefined,
    podping: token === undefined ? undefined : { url, token },
  };
}

function groupMail(
  { MAIL_FROM: from, SMTP_URL: smtpUrl }: SettingValues,
  { baseUrl, dataDir }: { readonly baseUrl: string; readonly dataDir: string },
): Config['mail'] {
  return { from: from ?? ownSender(baseUrl), smtpUrl, folder: join(dataDir, 'emails') };
}

function groupBackups(values: SettingValues): Config['backups'] {
  if (values.BACKUP_TO === undefined) return undefined;
  const { BACKUP_TO: target, BACKUP_KEEP: keep, BACKUP_AT: minuteOfDay } = values;
  return { target, keep, minuteOfDay };
}

function groupBlobs(values: SettingValues, dataDir: string): Config['blobs'] {
  if (values.S3_BUCKET === undefined) return { kind: 'disk', folder: join(dataDir, 'blobs') };
  return {
    kind: 's3',
    bucket: values.S3_BUCKET,
    prefix: values.S3_PREFIX,
    ...groupStores(values).s3,
  };
}

/** An IP address is not a mail domain. */
function groupDomains(values: SettingValues, baseUrl: string): Config['domains'] {
  const ownHost = new URL(baseUrl).hostname.replace(/^\[(.*)\]$/, '$1');
  return { target: values.DOMAIN_TARGET ?? [ownHost], dnsServers: values.DNS_SERVERS };
}

function ownSender(baseUrl: string): Config['mail']['from'] {
  const { hostname } = new URL(baseUrl);
  const isNumeric = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  return { name: 'Podstead', address: `no-reply@${isNumeric ? 'localhost' : hostname}` };
}

/**
 * Generated once and kept beside the embedded database. If two processes start at once, both use
 * the same one.
 */
function ownSecret(dataDir: string): Buffer {
  const file = join(dataDir, 'secret');
  if (!existsSync(file)) {
    makeDataFolder(dataDir);
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, randomBytes(48).toString('base64url'), { mode: 0o600 });
    try {
      linkSync(draft, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      unlinkSync(draft);
    }
  }
  return readFileSync(file);
}
