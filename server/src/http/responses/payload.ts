import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { formatEtag } from '../../lib/conditional-request.ts';
import type { ContentCoding } from '../../lib/content-coding.ts';
import { digestInSlices } from './digest-in-slices.ts';

/** Bytes ready to send, with their ETag: strong, over the body, with a suffix for each coding. */
export interface Payload {
  readonly contentType: string;
  /** Hash of the identity bytes: the part of the ETag that all codings share. */
  readonly hash: string;
  readonly variants: Readonly<Record<ContentCoding, Variant>>;
  /** Approximate size of all variants in memory. */
  readonly totalBytes: number;
}

export interface Variant {
  readonly etag: string;
  /** Latin-1 text if it is short: Node then writes headers and body together. */
  readonly body: string | Buffer;
  /** Names and values in turn, which is the fastest form for writeHead. */
  readonly headers: readonly string[];
  /** The headers of a 304, which a cache needs to continue to use its copy. */
  readonly notModifiedHeaders: readonly string[];
}

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

/** Copying a longer body to its headers takes longer than a second write. */
const longestTextBytes = 8 * 1024;

/** Compressing a shorter body saves nothing. */
const smallestWorthCompressing = 512;

/** Brotli at quality 5 takes as long as gzip's default, and the result is a fifth smaller. */
const quick = { gzip: {}, brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } } };
/** Takes thirty times as long, and the result is another tenth smaller. */
const thorough = { gzip: { level: 9 }, brotli: {} };

/** The measured size of a payload's names, headers and objects, with all codings. */
const overheadBytes = 3_000;

/** Who may cache a response, and which request headers it depends on (REQ-23, REQ-25). */
export interface Caching {
  readonly cacheControl: string;
  readonly vary: string;
}

export const plainTextType = 'text/plain; charset=utf-8';

/** For errors and other responses that no cache may store. */
export const noStore = 'no-store';

export const publicCaching: Caching = {
  cacheControl: 'public, max-age=60',
  vary: 'Accept-Encoding',
};
/** For files whose name contains the hash of their content. */
export const immutableCaching: Caching = {
  cacheControl: 'public, max-age=31536000, immutable',
  vary: 'Accept-Encoding',
};
/** For keyed reads. */
export const keyedCaching: Caching = {
  cacheControl: 'private, no-cache',
  vary: 'Authorization, Accept-Encoding',
};
/** For responses that need a session or contain a secret. */
export const sessionCaching: Caching = {
  cacheControl: noStore,
  vary: 'Cookie, Accept-Encoding',
};

/** Additional headers of a response, such as a page's policies. */
export type ExtraHeaders = Readonly<Record<string, string>>;

/**
 * Hashes and compresses a body without blocking the event loop. A body of many megabytes comes in
 * pieces. A body that compression does not make smaller is sent as it is. A 304 has no `extra`
 * headers: a cache stores them with its copy. It has `lasting` ones, which may change while the body
 * does not. For a response that is sent once, `only` names its
 * coding. `thorough` is for payloads that are made once for the whole process, `compressed` for those that
 * were compressed before.
 */
export async function createPayload(
  contentType: string,
  text: string | Buffer | readonly Buffer[],
  options: {
    readonly extra?: ExtraHeaders | undefined;
    readonly lasting?: ExtraHeaders | undefined;
    readonly only?: ContentCoding;
    readonly caching?: Caching | undefined;
    readonly thorough?: boolean;
    readonly compressed?: { readonly gzip: Buffer; readonly br: Buffer } | undefined;
  } = {},
): Promise<Payload> {
  const { extra = {}, lasting = {}, only, caching = publicCaching, compressed } = options;
  const pieces =
    typeof text === 'string' || Buffer.isBuffer(text) ? [Buffer.from(text as string)] : text;
  const hash = (await digestInSlices(pieces)).slice(0, 27);
  const body = pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
  const wanted = (coding: ContentCoding) => only === undefined || only === coding;
  const effort = options.thorough === true ? thorough : quick;
  const worthwhile = body.length >= smallestWorthCompressing;
  const [zipped, brotli] = await Promise.all([
    compressed?.gzip ?? (worthwhile && wanted('gzip') ? compressGzip(body, effort.gzip) : body),
    compressed?.br ?? (worthwhile && wanted('br') ? compressBrotli(body, effort.brotli) : body),
  ]);
  const ownHeaders = [...['Content-Type', contentType], ...Object.entries(extra).flat()];
  const inCoding = (bytes: Buffer, coding?: Exclude<ContentCoding, 'identity'>) =>
    variant({ ownHeaders, etag: formatEtag(hash, coding), caching, lasting }, bytes, coding);
  const identity = inCoding(body);
  const variants = {
    identity,
    gzip: zipped.length < body.length ? inCoding(zipped, 'gzip') : identity,
    br: brotli.length < body.length ? inCoding(brotli, 'br') : identity,
  };
  const kept = new Set(Object.values(variants));
  const totalBytes = [...kept].reduce((sum, one) => sum + one.body.length, overheadBytes);
  return { contentType, hash, variants, totalBytes };
}

interface VariantHeaders {
  readonly ownHeaders: readonly string[];
  readonly etag: string;
  readonly caching: Caching;
  readonly lasting: ExtraHeaders;
}

function variant(
  { ownHeaders, etag, caching, lasting }: VariantHeaders,
  body: Buffer,
  coding?: Exclude<ContentCoding, 'identity'>,
): Variant {
  const notModifiedHeaders = [
    ...['ETag', etag],
    ...['Cache-Control', caching.cacheControl],
    ...['Vary', caching.vary],
    // Users upload files that are served from here. Browsers must not guess other types.
    ...['X-Content-Type-Options', 'nosniff'],
    ...Object.entries(lasting).flat(),
  ];
  const headers = [
    ...ownHeaders,
    ...['Content-Length', String(body.length)],
    ...(coding === undefined ? [] : ['Content-Encoding', coding]),
    ...notModifiedHeaders,
  ];
  return { etag, body: keep(body), headers, notModifiedHeaders };
}

/** The body as bytes, for callers that cannot use text. */
export function bytesOf({ body }: Variant): Buffer {
  return typeof body === 'string' ? Buffer.from(body, 'latin1') : body;
}

/** Copies zlib's result if it is a small part of a large block, which would stay in memory too. */
function keep(body: Buffer): string | Buffer {
  if (body.length <= longestTextBytes) return body.toString('latin1');
  if (body.length === body.buffer.byteLength) return body;
  const copy = Buffer.allocUnsafeSlow(body.length);
  body.copy(copy);
  return copy;
}
