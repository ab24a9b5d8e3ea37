import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { formatEtag } from '../lib/conditional-request.ts';
import type { ContentCoding } from '../lib/content-coding.ts';
import { digestInTurns } from './digest-in-turns.ts';

/** Bytes ready to send, with their ETag: strong, over the body, with a suffix for each coding. */
export interface Payload {
  readonly contentType: string;
  /** Hash of the identity bytes: the part of the ETag that all codings share. */
  readonly hash: string;
  readonly variants: Readonly<Record<ContentCoding, Variant>>;
  /** About what all of it takes in memory. */
  readonly totalBytes: number;
}

export interface Variant {
  readonly etag: string;
  /** Short ones as Latin-1 text: Node writes text and headers as one piece, bytes as a second. */
  readonly body: string | Buffer;
  /** Name, value, name, value …: what writeHead takes fastest. */
  readonly headers: readonly string[];
  /** Those of a 304: what a cache needs to keep using its copy. */
  readonly notModifiedHeaders: readonly string[];
}

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

/** Beyond this it takes longer to copy a body to its headers than to write it beside them. */
const longestTextBytes = 8 * 1024;

/** Below this a coding's overhead eats what it saves. */
const smallestWorthCompressing = 512;

/** Quality 5 takes about as long as gzip's default and comes out a fifth smaller. */
const quick = { gzip: {}, brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } } };
/** Thirty times as long, and another tenth smaller. */
const thorough = { gzip: { level: 9 }, brotli: {} };

/** Names, headers and objects of a payload with all codings, measured. */
const overheadBytes = 3_000;

/** Who may keep an answer, and what it depends on beside the address (the contract). */
export interface Caching {
  readonly cacheControl: string;
  readonly vary: string;
}

/** Of errors, and of whatever no cache may keep. */
export const noStore = 'no-store';

export const publicCaching: Caching = {
  cacheControl: 'public, max-age=60',
  vary: 'Accept-Encoding',
};
/** Of what has the hash of its content in its name. */
export const immutableCaching: Caching = {
  cacheControl: 'public, max-age=31536000, immutable',
  vary: 'Accept-Encoding',
};
/** Of keyed reads. */
export const keyedCaching: Caching = {
  cacheControl: 'private, no-cache',
  vary: 'Authorization, Accept-Encoding',
};
/** Of whatever stands behind a session's cookie, or holds a secret. */
export const sessionCaching: Caching = {
  cacheControl: noStore,
  vary: 'Cookie, Accept-Encoding',
};

/** Headers of one answer beside those that every payload has: a page's policies. */
export type ExtraHeaders = Readonly<Record<string, string>>;

/**
 * Compresses in the thread pool, and gives the event loop its turns: a body may be of many
 * megabytes, and comes in pieces then. A body that no coding makes smaller is kept as it is. What is in
 * `extra` does not stand on a 304: a cache keeps it with its copy. An answer that is sent once
 * names the one coding it goes out in; one that is made once for the process is made thoroughly.
 */
export async function createPayload(
  contentType: string,
  text: string | Buffer | readonly Buffer[],
  options: {
    readonly extra?: ExtraHeaders | undefined;
    readonly only?: ContentCoding;
    readonly caching?: Caching | undefined;
    readonly thorough?: boolean;
  } = {},
): Promise<Payload> {
  const { extra = {}, only, caching = publicCaching } = options;
  const pieces =
    typeof text === 'string' || Buffer.isBuffer(text) ? [Buffer.from(text as string)] : text;
  const hash = (await digestInTurns(pieces)).slice(0, 27);
  const body = pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
  const wanted = (coding: ContentCoding) => only === undefined || only === coding;
  const effort = options.thorough === true ? thorough : quick;
  const worthwhile = body.length >= smallestWorthCompressing;
  const [zipped, brotli] = await Promise.all([
    worthwhile && wanted('gzip') ? compressGzip(body, effort.gzip) : body,
    worthwhile && wanted('br') ? compressBrotli(body, effort.brotli) : body,
  ]);
  const ownHeaders = [...['Content-Type', contentType], ...Object.entries(extra).flat()];
  const inCoding = (bytes: Buffer, coding?: Exclude<ContentCoding, 'identity'>) =>
    variant({ ownHeaders, etag: formatEtag(hash, coding), caching }, bytes, coding);
  const identity = inCoding(body);
  const variants = {
    identity,
    gzip: zipped.length < body.length ? inCoding(zipped, 'gzip') : identity,
    br: brotli.length < body.length ? inCoding(brotli, 'br') : identity,
  };
  const totalBytes = overheadBytes + body.length + zipped.length + brotli.length;
  return { contentType, hash, variants, totalBytes };
}

interface VariantHeaders {
  readonly ownHeaders: readonly string[];
  readonly etag: string;
  readonly caching: Caching;
}

function variant(
  { ownHeaders, etag, caching }: VariantHeaders,
  body: Buffer,
  coding?: Exclude<ContentCoding, 'identity'>,
): Variant {
  const notModifiedHeaders = [
    ...['ETag', etag],
    ...['Cache-Control', caching.cacheControl],
    ...['Vary', caching.vary],
    // What people upload is served from here too: nobody may take it for something else.
    ...['X-Content-Type-Options', 'nosniff'],
  ];
  const headers = [
    ...ownHeaders,
    ...['Content-Length', String(body.length)],
    ...(coding === undefined ? [] : ['Content-Encoding', coding]),
    ...notModifiedHeaders,
  ];
  return { etag, body: keep(body), headers, notModifiedHeaders };
}

/** Bytes to hand to whoever does not take text. */
export function bytesOf({ body }: Variant): Buffer {
  return typeof body === 'string' ? Buffer.from(body, 'latin1') : body;
}

/** What zlib gives is a small part of a large block, which would be kept with it: it is copied. */
function keep(body: Buffer): string | Buffer {
  if (body.length <= longestTextBytes) return body.toString('latin1');
  if (body.length === body.buffer.byteLength) return body;
  const copy = Buffer.allocUnsafeSlow(body.length);
  body.copy(copy);
  return copy;
}
