import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import type { Terms } from '../domain/context.ts';
import type { LogLevel } from '../platform/log/log.ts';
import { ConfigError, parseSettings, readDotEnv, readEnvironment } from './environment.ts';
import type { SettingValues } from './settings.ts';

/** The settings, checked together and grouped by who needs them. */
export interface Config {
  readonly http: {
    readonly port: number;
    readonly host: string;
    readonly trustProxy: number | readonly string[];
    readonly publicRateLimit: number;
    readonly metricsPort: number | undefined;
    readonly accelRedirect: string | undefined;
  };
  readonly baseUrl: string;
  readonly embedUrl: string;
  readonly dataDir: string;
  readonly database:
    | { readonly kind: 'embedded'; readonly dataDir: string }
    | { readonly kind: 'server'; readonly url: string; readonly poolSize: number };
  readonly redisUrl: string | undefined;
  readonly blobs:
    | { readonly kind: 'disk'; readonly folder: string }
    | {
        readonly kind: 's3';
        readonly bucket: string;
        readonly region: string;
        readonly endpoint: string | undefined;
        readonly accessKeyId: string;
        readonly secretAccessKey: string;
        readonly forcePathStyle: boolean;
        readonly prefix: string;
      };
  readonly mail: {
    readonly from: { readonly name: string; readonly address: string };
    /** Undefined: letters become files in the folder. */
    readonly smtpUrl: string | undefined;
    readonly folder: string;
  };
  readonly secret: Buffer;
  readonly outboundAllow: readonly string[];
  readonly defaultPlan: string;
  readonly signUp: boolean;
  readonly terms: Terms | undefined;
  readonly overageSuspend: boolean;
  readonly fingerprintHosts: string | undefined;
  readonly logLevel: LogLevel;
  readonly worker: boolean;
}

export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  return createConfig(parseSettings(readEnvironment(env, readDotEnv(env))));
}

/** Throws a ConfigError naming every setting that does not fit the others. */
export function createConfig(values: SettingValues): Config {
  const problems = checkTogether(values);
  if (problems.length > 0) throw new ConfigError(problems);
  const dataDir = resolve(values.DATA_DIR);
  const baseUrl = values.BASE_URL ?? `http://localhost:${values.PORT}`;
  return {
    http: {
      port: values.PORT,
      host: values.HOST,
      trustProxy: values.TRUST_PROXY ?? 0,
      publicRateLimit: values.PUBLIC_RATE_LIMIT,
      metricsPort: values.METRICS_PORT,
      accelRedirect: values.X_ACCEL_REDIRECT,
    },
    baseUrl,
    embedUrl: values.EMBED_URL ?? baseUrl,
    dataDir,
    database:
      values.DATABASE_URL === undefined
        ? { kind: 'embedded', dataDir: join(dataDir, 'database') }
        : { kind: 'server', url: values.DATABASE_URL, poolSize: values.DATABASE_POOL },
    redisUrl: values.REDIS_URL,
    blobs: groupBlobs(values, dataDir),
    mail: {
      from: values.MAIL_FROM ?? ownSender(baseUrl),
      smtpUrl: values.SMTP_URL,
      folder: join(dataDir, 'letters'),
    },
    secret: values.SECRET === undefined ? ownSecret(dataDir) : Buffer.from(values.SECRET, 'utf8'),
    outboundAllow: values.OUTBOUND_ALLOW,
    defaultPlan: values.DEFAULT_PLAN,
    signUp: values.SIGN_UP,
    terms:
      values.TERMS_VERSION === undefined
        ? undefined
        : { version: values.TERMS_VERSION, url: values.TERMS_URL },
    overageSuspend: values.OVERAGE_SUSPEND,
    fingerprintHosts: values.FINGERPRINT_HOSTS,
    logLevel: values.LOG_LEVEL,
    worker: values.WORKER,
  };
}

function checkTogether(values: SettingValues): string[] {
  const problems: string[] = [];
  if (values.DATABASE_URL !== undefined && values.SECRET === undefined) {
    // Several processes may share a server's database: a secret made here would be only ours.
    problems.push('SECRET is required with DATABASE_URL (at least 32 bytes, the same everywhere).');
  }
  if (values.TERMS_URL !== undefined && values.TERMS_VERSION === undefined) {
    problems.push('TERMS_VERSION is required with TERMS_URL: users accept a version.');
  }
  if (values.S3_BUCKET !== undefined) {
    for (const name of ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const) {
      if (values[name] === undefined) problems.push(`${name} is required with S3_BUCKET.`);
    }
    if (values.X_ACCEL_REDIRECT !== undefined) {
      problems.push('X_ACCEL_REDIRECT serves files from disk; it does not go with S3_BUCKET.');
    }
  }
  return problems;
}

function groupBlobs(values: SettingValues, dataDir: string): Config['blobs'] {
  if (values.S3_BUCKET === undefined) return { kind: 'disk', folder: join(dataDir, 'blobs') };
  return {
    kind: 's3',
    bucket: values.S3_BUCKET,
    region: values.S3_REGION,
    endpoint: values.S3_ENDPOINT,
    accessKeyId: values.S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: values.S3_SECRET_ACCESS_KEY ?? '',
    forcePathStyle: values.S3_FORCE_PATH_STYLE,
    prefix: values.S3_PREFIX,
  };
}

/** A host that is an address of numbers has no mail. */
function ownSender(baseUrl: string): Config['mail']['from'] {
  const { hostname } = new URL(baseUrl);
  const isNumeric = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  return { name: 'Podstead', address: `no-reply@${isNumeric ? 'localhost' : hostname}` };
}

/** Made once and kept beside the embedded database; of two first starts one wins, whole. */
function ownSecret(dataDir: string): Buffer {
  const file = join(dataDir, 'secret');
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true });
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
