import { planIds } from '../domain/foundation/accounts/plans.ts';
import { logLevels } from '../platform/log/log-levels.ts';
import { publicRequestsPerMinute } from '../platform/rate-limiter/request-limits.ts';
import {
  address,
  anyText,
  backupPlace,
  database,
  emailAddress,
  fontFiles,
  headerToken,
  hosts,
  keepRule,
  mailSender,
  mailServer,
  nameServers,
  networks,
  oneOf,
  onOff,
  ownAddress,
  proxies,
  readableFile,
  readableFolder,
  requestAddress,
  requestAddresses,
  secret,
  serverAddress,
  serviceAddress,
  timeOfDay,
  wholeNumber,
} from './setting-texts.ts';

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
  DOMAIN_TARGET: {
    about:
      "where shows' own domains lead: host names or IP addresses; default the host of BASE_URL",
    details: 'See [domains.md](domains.md)',
    parse: hosts,
  },
  DNS_SERVERS: {
    about: "name servers to ask about shows' own domains (ip:port,...); default the system's",
    parse: nameServers,
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
  PUBLIC_DIRECTORY: {
    about: 'whether the home page is a directory of all public shows',
    details: 'See [the public directory](operate.md#the-public-directory)',
    fallback: 'off',
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
  WEBSUB: {
    about: 'whether apps may subscribe to feeds, by WebSub at BASE_URL/hub',
    details: 'See [notifications of feeds](operate.md#notifications-of-feeds)',
    fallback: 'on',
    parse: onOff,
  },
  WEBSUB_HUBS: {
    about: 'URLs of WebSub hubs that are told of new episodes, separated by commas; unset: none',
    details: 'See [notifications of feeds](operate.md#notifications-of-feeds)',
    fallback: '',
    parse: requestAddresses,
  },
  PODCAST_INDEX: {
    about: 'whether Podcast Index is told of new episodes, if BASE_URL begins with https',
    fallback: 'on',
    parse: onOff,
  },
  PODCAST_INDEX_URL: {
    about: "URL of Podcast Index's API",
    fallback: 'https://api.podcastindex.org',
    parse: serviceAddress,
  },
  PODPING_TOKEN: {
    about: 'token for podping, which tells podcast apps of new episodes; unset: no podping',
    secret: true,
    parse: headerToken,
  },
  PODPING_URL: {
    about: 'URL that accepts podpings',
    fallback: 'https://podping.cloud/',
    parse: requestAddress,
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
  CARD_FONTS: {
    about:
      'font files for letters on share pictures that the built-in fonts lack, separated by commas',
    details: 'See [fonts of share pictures](operate.md#fonts-of-share-pictures)',
    parse: fontFiles,
  },
  PUBLIC_RATE_LIMIT: {
    about: 'public requests per client IP address in 60 s; 0: no limit',
    fallback: String(publicRequestsPerMinute),
    parse: wholeNumber(0, 1_000_000),
  },
  CONNECTIONS_PER_ADDRESS: {
    about: 'open connections per client IP address; 0: no limit',
    details:
      'An IPv6 /64 is one address, and a /48 has ten times as many. Further connections are ' +
      'closed. The proxies named by `TRUST_PROXY` have no limit',
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
