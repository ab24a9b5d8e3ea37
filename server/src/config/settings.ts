import { readdirSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { planIds } from '../domain/foundation/accounts/plans.ts';
import { tryParseBackupPlace } from '../lib/backup-place.ts';
import { parseDatabaseUrl } from '../lib/database-url.ts';
import { isEmail } from '../lib/email-address.ts';
import { type KeepRule, tryParseKeepRule } from '../lib/keep-rule.ts';
import { logLevels } from '../platform/log/log-levels.ts';
import { publicRequestsPerMinute } from '../platform/rate-limiter/request-limits.ts';

/** One setting. `parse` turns its text into a value, or throws what would be valid. */
export interface Setting<T> {
  /** One line of plain text for .env.example and docs/settings.md. */
  readonly about: string;
  /** Sentences of Markdown, without the last period, for docs/settings.md. */
  readonly details?: string;
  /** The default text; undefined: the setting stays unset. */
  readonly fallback?: string;
  readonly secret?: boolean;
  parse(text: string): T;
}

function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new Error(`must be a whole number from ${min} to ${max}`);
  };
}

function oneOf<const T extends string>(...values: readonly T[]) {
  return (text: string): T => {
    const value = values.find((candidate) => candidate === text.toLowerCase());
    if (value === undefined) throw new Error(`must be one of ${values.join(', ')}`);
    return value;
  };
}

function address(...protocols: readonly string[]) {
  return (text: string): string => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url !== undefined && protocols.includes(url.protocol)) return text;
    throw new Error(
      `must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`,
    );
  };
}

/** Drivers disagree about a percent sign that begins no code. */
function encodeStrayPercents(text: string): string {
  return text.replaceAll(/%(?![\da-f]{2})/gi, '%25');
}

/** A server's URL. Its user and password may have any characters, if they are percent-encoded. */
function serverAddress(...protocols: readonly string[]) {
  const check = address(...protocols);
  return (text: string): string => {
    const url = encodeStrayPercents(text);
    if (protocols.some((protocol) => url.startsWith(`${protocol}//`)) && !isUnambiguous(url)) {
      throw new Error(
        'is not a valid URL: in its user and password, write / as %2F, ? as %3F, # as %23, @ as %40 ' +
          'and % as %25',
      );
    }
    return check(url);
  };
}

/** Otherwise a host could be read from the middle of a password, as in redis://u:12#3@host. */
function isUnambiguous(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password, pathname, hash } = new URL(text);
  try {
    decodeURIComponent(username + password);
  } catch {
    return false;
  }
  return !pathname.includes('@') && !hash.includes('@');
}

/** Each of several hosts alone makes a URL that can be checked. */
function database(text: string): string {
  const check = serverAddress('postgres:', 'postgresql:');
  for (const { url } of parseDatabaseUrl(text).servers) check(url);
  return encodeStrayPercents(text);
}

/** Without a host, the client would connect to this machine. */
function mailServer(text: string): string {
  const url = serverAddress('smtp:', 'smtps:')(text);
  if (new URL(url).hostname === '') {
    throw new Error("must name the mail server's host, as in smtp://mail.example.com:587");
  }
  return url;
}

/** Our own base URLs: scheme, host and port, without a trailing slash. */
function ownAddress(text: string): string {
  const url = new URL(address('http:', 'https:')(text));
  if (url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new Error('must be a URL without user, password, query or fragment');
  }
  if (url.pathname !== '/')
    throw new Error('must have no path, because Podstead serves from the root');
  return url.origin;
}

const onOff = (text: string): boolean => oneOf('on', 'off')(text) === 'on';
const anyText = (text: string): string => text;

function networks(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      if (isIP(part) === 0 && !ipaddr.isValidCIDR(part)) {
        throw new Error(`must list networks such as 10.0.0.0/8; ${part} is not a network`);
      }
      return part;
    });
}

/** A number of hops, or the networks of our proxies. */
function proxies(text: string): number | string[] {
  return /^\d+$/.test(text) ? wholeNumber(0, 10)(text) : networks(text);
}

/** An address, with or without a name: `Our shows <shows@example.com>`. */
function mailSender(text: string): { name: string; address: string } {
  const [, name = '', inBrackets] = /^([^<>"\p{C}]*)<([^<>]+)>$/u.exec(text.trim()) ?? [];
  const address = inBrackets ?? text.trim();
  if (!isEmail(address))
    throw new Error('must be an email address, or a name and an address in <>');
  return { name: name.trim(), address };
}

function emailAddress(text: string): string {
  if (!isEmail(text)) throw new Error('must be an email address');
  return text;
}

function secret(text: string): string {
  if (Buffer.byteLength(text) < 32) throw new Error('must have at least 32 bytes');
  return text;
}

function keepRule(text: string): KeepRule {
  const rule = tryParseKeepRule(text);
  if (rule === undefined) throw new Error('must list days, weeks and months, such as 7d,4w,12m');
  return rule;
}

function backupPlace(text: string): string {
  if (tryParseBackupPlace(text) === undefined)
    throw new Error('must be a folder or s3://BUCKET/PREFIX');
  return text;
}

/** Minutes after midnight. */
function timeOfDay(text: string): number {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (minutes === undefined) throw new Error('must be a time from 00:00 to 23:59');
  return Number(hours) * 60 + Number(minutes);
}

function readableFile(text: string): string {
  try {
    readFileSync(text);
  } catch {
    throw new Error('must name a readable file');
  }
  return text;
}

function readableFolder(text: string): string {
  try {
    readdirSync(text);
  } catch {
    throw new Error('must name a readable folder');
  }
  return text;
}

/** All settings, in the order of the documentation. */
export const settings = {
  PORT: { about: 'port to listen on', fallback: '3000', parse: wholeNumber(1, 65_535) },
  HOST: { about: 'address to listen on', fallback: '127.0.0.1', parse: anyText },
  BASE_URL: {
    about: 'public URL of the service, without a path; default http://localhost:PORT',
    parse: ownAddress,
  },
  EMBED_URL: {
    about: 'public URL of players if they have their own host; default BASE_URL',
    parse: ownAddress,
  },
  DATA_DIR: { about: 'folder for all data on disk', fallback: './data', parse: anyText },
  DATABASE_URL: {
    about: 'PostgreSQL server; unset: the embedded database in DATA_DIR',
    details:
      'PostgreSQL 15 or newer, UTF-8. Several hosts, such as `postgres://u:p@a:5432,b:5432/db`, are tried ' +
      'in order for the one that accepts writes ([several database servers](operate.md#several-database-servers))',
    secret: true,
    parse: database,
  },
  DATABASE_LISTEN_URL: {
    about: 'the same database as DATABASE_URL without its pooler, for LISTEN',
    details: 'See [poolers](operate.md#poolers)',
    secret: true,
    parse: database,
  },
  DATABASE_POOL: {
    about: 'maximum database connections of each process',
    details:
      'Each process opens two more to watch for changes, and a temporary one to check slow statements',
    fallback: '10',
    parse: wholeNumber(1, 500),
  },
  REDIS_URL: {
    about: 'Redis server that counts requests for all processes; unset: each process counts alone',
    secret: true,
    parse: serverAddress('redis:', 'rediss:'),
  },
  S3_BUCKET: { about: 'S3 bucket for files; unset: DATA_DIR/blobs', parse: anyText },
  S3_ENDPOINT: {
    about: 'URL of an S3 store other than AWS',
    details: 'See [stores](operate.md#s3-compatible-stores)',
    parse: address('http:', 'https:'),
  },
  S3_REGION: { about: "the bucket's region", fallback: 'us-east-1', parse: anyText },
  S3_ACCESS_KEY_ID: {
    about: "the bucket's access key; required with S3_BUCKET",
    secret: true,
    parse: anyText,
  },
  S3_SECRET_ACCESS_KEY: {
    about: "the bucket's secret key; required with S3_BUCKET",
    secret: true,
    parse: anyText,
  },
  S3_FORCE_PATH_STYLE: {
    about: 'put the bucket in the path instead of the host; most stores other than AWS require it',
    fallback: 'off',
    parse: onOff,
  },
  S3_PREFIX: { about: 'prefix of every key in the bucket', fallback: '', parse: anyText },
  SMTP_URL: {
    about: 'mail server; unset: emails are .eml files in DATA_DIR/emails',
    details:
      '`smtp://user:password@host:587` uses TLS if the server offers it, `smtps://…` always ([emails](operate.md#emails))',
    secret: true,
    parse: mailServer,
  },
  MAIL_FROM: {
    about: 'sender of emails; default Podstead <no-reply@HOST of BASE_URL>',
    details: 'For example `Our shows <shows@example.com>`',
    parse: mailSender,
  },
  SECRET: {
    about: 'key for signatures and hashes, at least 32 bytes; required with DATABASE_URL',
    details:
      'The same in all processes. With the embedded database it is generated once, in `DATA_DIR/secret`',
    secret: true,
    parse: secret,
  },
  TRUST_PROXY: {
    about: 'proxies whose X-Forwarded-For is trusted: their number, or their networks',
    details: "Without it, all clients behind a proxy share the proxy's address and limits",
    parse: proxies,
  },
  OUTBOUND_ALLOW: {
    about: 'private networks, or public addresses of this machine, that imports may connect to',
    details: 'For example `10.0.0.0/8` ([outbound requests](operate.md#outbound-requests))',
    fallback: '',
    parse: networks,
  },
  X_ACCEL_REDIRECT: {
    about: 'internal nginx location that serves DATA_DIR/blobs',
    details: 'See [nginx](install.md#nginx)',
    parse: (text: string): string => {
      if (/^\/[\w/-]*\/$/.test(text)) return text;
      throw new Error('must be a path that begins and ends with "/"');
    },
  },
  ACCESS_LOG: {
    about: 'access log of the server or CDN that sends the audio; its requests are counted',
    details: 'See [access-logs.md](access-logs.md)',
    parse: anyText,
  },
  DEFAULT_PLAN: {
    about: 'plan of new accounts',
    details: '`free`, `creator`, `studio`, `production_house` or `enterprise`',
    fallback: 'enterprise',
    parse: oneOf(...planIds),
  },
  SIGN_UP: {
    about: 'whether anyone may create an account; off: only by command or invitation',
    fallback: 'on',
    parse: onOff,
  },
  TERMS_VERSION: {
    about: 'version of the terms of service that users must accept; unset: none',
    parse: anyText,
  },
  TERMS_URL: { about: 'URL of the terms of service', parse: address('http:', 'https:') },
  OVERAGE_SUSPEND: {
    about: "suspend the shows of accounts that exceed their plan's downloads",
    details: 'See [plans](operate.md#accounts-and-plans)',
    fallback: 'off',
    parse: onOff,
  },
  DISK_RESERVE: {
    about: 'megabytes that uploads and imports leave free on the disk',
    details: 'See [the disk](operate.md#the-disk)',
    fallback: '256',
    parse: wholeNumber(0, 1_000_000_000),
  },
  METRICS_PORT: {
    about: 'port of /metrics (Prometheus) on HOST; unset: none',
    parse: wholeNumber(1, 65_535),
  },
  FINGERPRINT_HOSTS: {
    about: 'JSON file that replaces the list of redirect hosts',
    parse: readableFile,
  },
  BACKUP_TO: {
    about: 'where a backup is made every day: a folder, or s3://BUCKET/PREFIX; unset: none is made',
    details: 'See [backups.md](backups.md)',
    parse: backupPlace,
  },
  BACKUP_KEEP: {
    about: 'for how many days, weeks and months the newest of these backups is kept',
    fallback: '7d,4w,12m',
    parse: keepRule,
  },
  BACKUP_AT: {
    about: 'when these backups are made, in UTC',
    fallback: '03:00',
    parse: timeOfDay,
  },
  OPERATOR_EMAIL: {
    about:
      'address of the operator, who learns of backups that fail for two days; unset: nobody does',
    details: 'A user with this address also sees the last backup in the dashboard',
    parse: emailAddress,
  },
  AGENT_LISTS: {
    about: 'folder with OPAWG user-agent lists, which replace the built-in ones',
    parse: readableFolder,
  },
  PUBLIC_RATE_LIMIT: {
    about: 'public requests per client IP address in 60 s; 0: no limit',
    fallback: String(publicRequestsPerMinute),
    parse: wholeNumber(0, 1_000_000),
  },
  CONNECTIONS_PER_ADDRESS: {
    about: 'open connections per client IP address; 0: no limit',
    details: 'Further connections are closed. The proxies named by `TRUST_PROXY` have no limit',
    fallback: '1000',
    parse: wholeNumber(0, 1_000_000),
  },
  STOP_DELAY: {
    about:
      'seconds after SIGTERM in which serve still accepts requests, while /readyz responds with 503',
    details:
      'For load balancers that ask /readyz. See [upgrades](operate.md#upgrade-without-a-pause)',
    fallback: '0',
    parse: wholeNumber(0, 300),
  },
  LOG_LEVEL: {
    about: 'lowest level to log',
    details: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`',
    fallback: 'info',
    parse: oneOf(...logLevels),
  },
  WORKER: { about: 'whether serve also runs the background work', fallback: 'on', parse: onOff },
} as const satisfies Record<string, Setting<unknown>>;

export type SettingName = keyof typeof settings;

/** A setting as it was found. */
export interface ReadSetting {
  readonly name: SettingName;
  readonly text: string | undefined;
  /** `environment`, `default`, `unset`, or the path of the file that sets it. */
  readonly source: string;
}

export type SettingValues = {
  readonly [N in SettingName]: (typeof settings)[N] extends { readonly fallback: string }
    ? ReturnType<(typeof settings)[N]['parse']>
    : ReturnType<(typeof settings)[N]['parse']> | undefined;
};
