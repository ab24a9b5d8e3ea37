import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { planIds } from '../domain/accounts/index.ts';
import { isEmail } from '../lib/email-address.ts';
import { logLevels } from '../platform/log/log.ts';

/** One setting: how its text becomes a value. `parse` throws words that say what would be right. */
export interface Setting<T> {
  readonly about: string;
  /** The text used when the environment has none; undefined: the setting stays unset. */
  readonly fallback?: string;
  readonly secret?: boolean;
  parse(text: string): T;
}

function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new Error(`is a whole number from ${min} to ${max}`);
  };
}

function oneOf<const T extends string>(...values: readonly T[]) {
  return (text: string): T => {
    const value = values.find((candidate) => candidate === text.toLowerCase());
    if (value === undefined) throw new Error(`is one of ${values.join(', ')}`);
    return value;
  };
}

function address(...protocols: readonly string[]) {
  return (text: string): string => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url !== undefined && protocols.includes(url.protocol)) return text;
    throw new Error(`is an address beginning ${protocols.map((p) => `${p}//`).join(' or ')}`);
  };
}

/** Our own addresses are prefixes: scheme, host, port and perhaps a path; no slash at the end. */
function ownAddress(text: string): string {
  const url = new URL(address('http:', 'https:')(text));
  if (url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new Error('is an address without login, query or fragment');
  }
  if (url.pathname !== '/') throw new Error('has no path: Podstead answers from the root');
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
        throw new Error(`lists networks such as 10.0.0.0/8; ${part} is none`);
      }
      return part;
    });
}

/** A number of hops, or the networks our proxies stand in. */
function proxies(text: string): number | string[] {
  return /^\d+$/.test(text) ? wholeNumber(0, 10)(text) : networks(text);
}

/** An address, or a name before it: `Our shows <shows@example.com>`. */
function mailSender(text: string): { name: string; address: string } {
  const [, name = '', inBrackets] = /^([^<>"\p{C}]*)<([^<>]+)>$/u.exec(text.trim()) ?? [];
  const address = inBrackets ?? text.trim();
  if (!isEmail(address)) throw new Error('is an address, or a name and an address in <>');
  return { name: name.trim(), address };
}

function secret(text: string): string {
  if (Buffer.byteLength(text) < 32) throw new Error('has at least 32 bytes');
  return text;
}

function readableFile(text: string): string {
  try {
    readFileSync(text);
  } catch {
    throw new Error('names a file that can be read');
  }
  return text;
}

/** Every setting there is, in the order the documents list them. */
export const settings = {
  PORT: { about: 'port of the service', fallback: '3000', parse: wholeNumber(1, 65_535) },
  HOST: { about: 'address it listens on', fallback: '127.0.0.1', parse: anyText },
  BASE_URL: { about: 'its public address; default http://localhost:PORT', parse: ownAddress },
  EMBED_URL: { about: 'public address of players; default BASE_URL', parse: ownAddress },
  DATA_DIR: { about: 'folder for everything kept on disk', fallback: './data', parse: anyText },
  DATABASE_URL: {
    about: 'a PostgreSQL server; unset: the embedded database in DATA_DIR',
    secret: true,
    parse: address('postgres:', 'postgresql:'),
  },
  DATABASE_POOL: { about: 'connections held', fallback: '10', parse: wholeNumber(1, 500) },
  REDIS_URL: {
    about: 'shares request counts between processes; unset: in memory',
    secret: true,
    parse: address('redis:', 'rediss:'),
  },
  S3_BUCKET: { about: 'an S3 bucket for files; unset: DATA_DIR', parse: anyText },
  S3_ENDPOINT: { about: 'for stores other than AWS', parse: address('http:', 'https:') },
  S3_REGION: { about: 'region of the bucket', fallback: 'us-east-1', parse: anyText },
  S3_ACCESS_KEY_ID: { about: 'credentials of the bucket', secret: true, parse: anyText },
  S3_SECRET_ACCESS_KEY: { about: 'credentials of the bucket', secret: true, parse: anyText },
  S3_FORCE_PATH_STYLE: { about: 'bucket in the path, not the host', fallback: 'off', parse: onOff },
  S3_PREFIX: { about: 'put before every key', fallback: '', parse: anyText },
  SMTP_URL: {
    about: 'mail server; unset: letters are .eml files in DATA_DIR/letters',
    secret: true,
    parse: address('smtp:', 'smtps:'),
  },
  MAIL_FROM: {
    about: 'who letters come from; default Podstead <no-reply@HOST of BASE_URL>',
    parse: mailSender,
  },
  SECRET: { about: 'signs cursors and sessions; at least 32 bytes', secret: true, parse: secret },
  TRUST_PROXY: { about: 'hops or networks whose X-Forwarded-For is believed', parse: proxies },
  OUTBOUND_ALLOW: { about: 'private networks imports may reach', fallback: '', parse: networks },
  X_ACCEL_REDIRECT: {
    about: 'internal nginx location that serves DATA_DIR/blobs',
    parse: (text: string): string => {
      if (/^\/[\w/-]*\/$/.test(text)) return text;
      throw new Error('is a path beginning and ending in "/"');
    },
  },
  DEFAULT_PLAN: {
    about: 'plan of new accounts',
    fallback: 'enterprise',
    parse: oneOf(...planIds),
  },
  SIGN_UP: { about: 'anybody may make an account', fallback: 'on', parse: onOff },
  TERMS_VERSION: { about: 'the terms in force; unset: none', parse: anyText },
  TERMS_URL: { about: 'where the terms are read', parse: address('http:', 'https:') },
  OVERAGE_SUSPEND: { about: 'suspend shows over their plan', fallback: 'off', parse: onOff },
  METRICS_PORT: { about: 'port of /metrics; unset: none', parse: wholeNumber(1, 65_535) },
  FINGERPRINT_HOSTS: { about: 'another table of redirect hosts', parse: readableFile },
  PUBLIC_RATE_LIMIT: {
    about: 'public requests per 60 s and address; 0: no limit',
    fallback: '600',
    parse: wholeNumber(0, 1_000_000),
  },
  LOG_LEVEL: { about: 'how much is logged', fallback: 'info', parse: oneOf(...logLevels) },
  WORKER: { about: 'background work inside serve', fallback: 'on', parse: onOff },
} as const satisfies Record<string, Setting<unknown>>;

export type SettingName = keyof typeof settings;
export type SettingValues = {
  readonly [N in SettingName]: (typeof settings)[N] extends { readonly fallback: string }
    ? ReturnType<(typeof settings)[N]['parse']>
    : ReturnType<(typeof settings)[N]['parse']> | undefined;
};
