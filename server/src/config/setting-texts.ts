import { readdirSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { tryParseBackupPlace } from '../lib/backup-place.ts';
import { canonicalAddress } from '../lib/canonical-address.ts';
import { parseDatabaseUrl } from '../lib/database-url.ts';
import { isEmail } from '../lib/email-address.ts';
import { parseHostName } from '../lib/host-name.ts';
import { type KeepRule, tryParseKeepRule } from '../lib/keep-rule.ts';

// Parsers of settings' texts. Each throws what would be valid.

export function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new Error(`must be a whole number from ${min} to ${max}`);
  };
}

export function oneOf<const T extends string>(...values: readonly T[]) {
  return (text: string): T => {
    const value = values.find((candidate) => candidate === text.toLowerCase());
    if (value === undefined) throw new Error(`must be one of ${values.join(', ')}`);
    return value;
  };
}

export function address(...protocols: readonly string[]) {
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
export function serverAddress(...protocols: readonly string[]) {
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
export function database(text: string): string {
  const check = serverAddress('postgres:', 'postgresql:');
  for (const { url } of parseDatabaseUrl(text).servers) check(url);
  return encodeStrayPercents(text);
}

/** Without a host, the client would connect to this machine. */
export function mailServer(text: string): string {
  const url = serverAddress('smtp:', 'smtps:')(text);
  if (new URL(url).hostname === '') {
    throw new Error("must name the mail server's host, as in smtp://mail.example.com:587");
  }
  return url;
}

/** Our own base URLs: scheme, host and port, without a trailing slash. */
export function ownAddress(text: string): string {
  const url = new URL(address('http:', 'https:')(text));
  if (url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new Error('must be a URL without user, password, query or fragment');
  }
  if (url.pathname !== '/')
    throw new Error('must have no path, because Podstead serves from the root');
  return url.origin;
}

/** The base URL of another service, to which paths are appended. */
export function serviceAddress(text: string): string {
  const url = new URL(address('http:', 'https:')(text));
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    throw new Error('must be a URL without user, password, query or fragment');
  }
  return url.href.replace(/\/$/, '');
}

/** A URL that gets parameters. */
export function requestAddress(text: string): string {
  const url = new URL(address('http:', 'https:')(text));
  if (url.hash !== '' || url.username !== '' || url.password !== '') {
    throw new Error('must be a URL without user, password or fragment');
  }
  return url.href;
}

/** URLs, separated by commas; each once. */
export function requestAddresses(text: string): string[] {
  const parts = text.split(',').map((part) => part.trim());
  return [...new Set(parts.filter((part) => part !== '').map(requestAddress))];
}

/** The value of a header. */
export function headerToken(text: string): string {
  if (!/^[\x21-\x7e]+$/.test(text)) throw new Error('must be one word of ASCII characters');
  return text;
}

/** Names of hosts, and IP addresses. */
export function hosts(text: string): string[] {
  return text.split(',').map((part) => {
    const place = part.trim();
    const parsed = parseHostName(place);
    const known = canonicalAddress(place) ?? ('host' in parsed ? parsed.host : undefined);
    if (known !== undefined) return known;
    throw new Error('must list host names or IP addresses, such as pods.example.com');
  });
}

/** `ip:port`, or an address alone for port 53. */
export function nameServers(text: string): string[] {
  return text.split(',').map((part) => {
    const [, bracketed, ipv4, port = '53'] =
      /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::(\d{1,5}))?$/i.exec(part.trim()) ?? [];
    const address = bracketed ?? ipv4 ?? part.trim();
    const number = Number(port);
    if (isIP(address) === 0 || number < 1 || number > 65_535)
      throw new Error(
        'must list IP addresses with ports, such as 192.0.2.53:53 or [2001:db8::53]:53',
      );
    return isIP(address) === 6 ? `[${address}]:${number}` : `${address}:${number}`;
  });
}

export const onOff = (text: string): boolean => oneOf('on', 'off')(text) === 'on';
export const anyText = (text: string): string => text;

export function networks(text: string): string[] {
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
export function proxies(text: string): number | string[] {
  return /^\d+$/.test(text) ? wholeNumber(0, 10)(text) : networks(text);
}

/** An address, with or without a name: `Our shows <shows@example.com>`. */
export function mailSender(text: string): { name: string; address: string } {
  const [, name = '', inBrackets] = /^([^<>"\p{C}]*)<([^<>]+)>$/u.exec(text.trim()) ?? [];
  const address = inBrackets ?? text.trim();
  if (!isEmail(address))
    throw new Error('must be an email address, or a name and an address in <>');
  return { name: name.trim(), address };
}

export function emailAddress(text: string): string {
  if (!isEmail(text)) throw new Error('must be an email address');
  return text;
}

export function secret(text: string): string {
  if (Buffer.byteLength(text) < 32) throw new Error('must have at least 32 bytes');
  return text;
}

export function keepRule(text: string): KeepRule {
  const rule = tryParseKeepRule(text);
  if (rule === undefined) throw new Error('must list days, weeks and months, such as 7d,4w,12m');
  return rule;
}

export function backupPlace(text: string): string {
  if (tryParseBackupPlace(text) === undefined)
    throw new Error('must be a folder or s3://BUCKET/PREFIX');
  return text;
}

/** Minutes after midnight. */
export function timeOfDay(text: string): number {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (minutes === undefined) throw new Error('must be a time from 00:00 to 23:59');
  return Number(hours) * 60 + Number(minutes);
}

export function readableFile(text: string): string {
  try {
    readFileSync(text);
  } catch {
    throw new Error('must name a readable file');
  }
  return text;
}

/** Files of OpenType fonts, separated by commas: TrueType, PostScript outlines, or a collection of them. */
export function fontFiles(text: string): string[] {
  return text.split(',').map((part) => {
    const file = resolve(readableFile(part.trim()));
    const start = readFileSync(file).toString('latin1', 0, 4);
    if (['\0\u0001\0\0', 'OTTO', 'true', 'ttcf'].includes(start)) return file;
    throw new Error('must list files of fonts (.ttf, .otf or .ttc)');
  });
}

export function readableFolder(text: string): string {
  try {
    readdirSync(text);
  } catch {
    throw new Error('must name a readable folder');
  }
  return text;
}
