import { isSlug } from '../../../../lib/slug.ts';
import { DomainError } from '../../../foundation/errors.ts';

/** The fields of a form, as they came; a repeated one is a list. */
export type HubFields = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface HubRequest {
  readonly mode: 'subscribe' | 'unsubscribe';
  readonly callback: string;
  /** Of the callback: without port and final dot. */
  readonly host: string;
  readonly topic: string;
  /** The slug that the topic names; undefined: it is not a URL of BASE_URL, but may be of an own domain. */
  readonly slug: string | undefined;
  readonly leaseSeconds: number;
  readonly secret: string | null;
}

const day = 86_400;
const leaseLimits = { usual: 10 * day, least: day, most: 30 * day };
const mostUrlChars = 2_000;
const secretBytesBelow = 200;

/** Reads a request to the hub (NOTIFY-2, WebSub 5.1). Throws with the reason. */
export function readHubRequest(
  fields: HubFields,
  { baseUrl, allowsHttp }: { readonly baseUrl: string; readonly allowsHttp: boolean },
): HubRequest {
  refuseUnreadable(fields);
  const mode = readField(fields, 'hub.mode');
  if (mode !== 'subscribe' && mode !== 'unsubscribe')
    throw refuse('hub.mode must be subscribe or unsubscribe.');
  const callback = readField(fields, 'hub.callback');
  const topic = readField(fields, 'hub.topic');
  return {
    ...{ mode, callback, topic },
    host: readHost(callback, allowsHttp),
    slug: readSlug(topic, baseUrl),
    leaseSeconds: mode === 'subscribe' ? readLease(fields) : leaseLimits.usual,
    secret: readSecret(fields),
  };
}

const refuse = (message: string) => new DomainError('invalid', message);

export const unknownTopic = () => refuse('hub.topic must be the URL of a feed of this service.');

const names = ['mode', 'callback', 'topic', 'lease_seconds', 'secret'].map((name) => `hub.${name}`);

/** A parser of URLs would drop some of these, and a signature with them would not be the subscriber's. */
function refuseUnreadable(fields: HubFields): void {
  for (const name of names) {
    const value = [fields[name] ?? ''].flat().join('');
    if (/\p{Cc}/u.test(value)) throw refuse(`${name} must not contain control characters.`);
    if (value.includes('\ufffd')) throw refuse(`${name} must be UTF-8.`);
  }
}

function readField(fields: HubFields, name: string): string {
  const value = fields[name];
  if (value === undefined || value === '') throw refuse(`${name} is missing.`);
  if (typeof value !== 'string') throw refuse(`${name} must be given once.`);
  if (value.length > mostUrlChars)
    throw refuse(`${name} is longer than ${mostUrlChars} characters.`);
  return value;
}

function readHost(callback: string, allowsHttp: boolean): string {
  // A URL's parser would drop or encode other characters, and the callback is used exactly as given.
  const url = /^[\x21-\x7e]+$/.test(callback) ? URL.parse(callback) : null;
  if (url === null) throw refuse('hub.callback must be an absolute URL in ASCII.');
  const { protocol, username, password, hash, hostname } = url;
  if (protocol !== 'https:' && !(protocol === 'http:' && allowsHttp))
    throw refuse('hub.callback must begin with https://.');
  if (username !== '' || password !== '')
    throw refuse('hub.callback must have no user or password.');
  if (hash !== '' || callback.includes('#')) throw refuse('hub.callback must have no fragment.');
  return hostname.replace(/\.$/, '');
}

/** Each present and former slug of a show is a topic. Unreserved characters are decoded (WebSub 5.1.1). */
function readSlug(topic: string, baseUrl: string): string | undefined {
  const unknown = unknownTopic();
  const url = URL.parse(topic);
  if (url === null || url.search !== '' || url.hash !== '') throw unknown;
  if (url.origin !== baseUrl) return undefined;
  const path = url.pathname.replaceAll(/%[2-7][0-9a-f]/gi, (encoded) => {
    const character = decodeURIComponent(encoded);
    return /[\w.~-]/.test(character) ? character : encoded;
  });
  const [, slug = ''] = /^\/feeds\/([\w-]+)\.xml$/.exec(path) ?? [];
  if (!isSlug(slug)) throw unknown;
  return slug;
}

function readLease(fields: HubFields): number {
  const text = fields['hub.lease_seconds'];
  if (text === undefined || text === '') return leaseLimits.usual;
  if (typeof text !== 'string' || !/^\d{1,12}$/.test(text) || Number(text) === 0)
    throw refuse('hub.lease_seconds must be a positive whole number.');
  return Math.min(Math.max(Number(text), leaseLimits.least), leaseLimits.most);
}

function readSecret(fields: HubFields): string | null {
  const secret = fields['hub.secret'];
  if (secret === undefined || secret === '') return null;
  if (typeof secret !== 'string') throw refuse('hub.secret must be given once.');
  if (Buffer.byteLength(secret) >= secretBytesBelow)
    throw refuse(`hub.secret must be shorter than ${secretBytesBelow} bytes.`);
  return secret;
}

/** Appends parameters to the callback exactly as it was given (WebSub 5.1.1). */
export function withHubParameters(callback: string, parameters: Record<string, string>): string {
  const separator = callback.includes('?') ? '&' : '?';
  return `${callback}${separator}${new URLSearchParams(parameters)}`;
}
