import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { formatEtag } from '../lib/conditional-request.ts';
import type { ContentCoding } from '../lib/content-coding.ts';

/** Bytes ready to send, with their ETag: strong, over the body, with a suffix for each coding. */
export interface Payload {
  readonly contentType: string;
  /** Hash of the identity bytes: the part of the ETag that all codings share. */
  readonly hash: string;
  readonly variants: Readonly<Record<ContentCoding, Variant>>;
  readonly totalBytes: number;
}

export interface Variant {
  readonly etag: string;
  readonly body: Buffer;
  /** Name, value, name, value …: what writeHead takes fastest. */
  readonly headers: readonly string[];
  /** Those of a 304: what a cache needs to keep using its copy. */
  readonly notModifiedHeaders: readonly string[];
}

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

/** Below this a coding's overhead eats what it saves. */
const smallestWorthCompressing = 512;

/** Quality 5 takes about as long as gzip's default and comes out a fifth smaller. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

export const publicCacheControl = 'public, max-age=60';

/** Headers of one answer beside those that every payload has: a page's policies. */
export type ExtraHeaders = Readonly<Record<string, string>>;

/**
 * Compresses in the thread pool; a body that no coding makes smaller is kept as it is. What is in
 * `extra` does not stand on a 304: a cache keeps it with its copy. An answer that is sent once
 * names the one coding it goes out in.
 */
export async function createPayload(
  contentType: string,
  text: string | Buffer,
  options: { readonly extra?: ExtraHeaders; readonly only?: ContentCoding } = {},
): Promise<Payload> {
  const { extra = {}, only } = options;
  const body = Buffer.from(text as string);
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 27);
  const wanted = (coding: ContentCoding) => only === undefined || only === coding;
  const worthwhile = body.length >= smallestWorthCompressing;
  const [zipped, brotli] = await Promise.all([
    worthwhile && wanted('gzip') ? compressGzip(body) : body,
    worthwhile && wanted('br') ? compressBrotli(body, brotliOptions) : body,
  ]);
  const ownHeaders = [...['Content-Type', contentType], ...Object.entries(extra).flat()];
  const identity = variant(ownHeaders, hash, body);
  const variants = {
    identity,
    gzip: zipped.length < body.length ? variant(ownHeaders, hash, zipped, 'gzip') : identity,
    br: brotli.length < body.length ? variant(ownHeaders, hash, brotli, 'br') : identity,
  };
  const totalBytes = body.length + zipped.length + brotli.length;
  return { contentType, hash, variants, totalBytes };
}

function variant(
  ownHeaders: readonly string[],
  hash: string,
  body: Buffer,
  coding?: Exclude<ContentCoding, 'identity'>,
): Variant {
  const etag = formatEtag(hash, coding);
  const notModifiedHeaders = [
    ...['ETag', etag],
    ...['Cache-Control', publicCacheControl],
    ...['Vary', 'Accept-Encoding'],
    // What people upload is served from here too: nobody may take it for something else.
    ...['X-Content-Type-Options', 'nosniff'],
  ];
  const headers = [
    ...ownHeaders,
    ...['Content-Length', String(body.length)],
    ...(coding === undefined ? [] : ['Content-Encoding', coding]),
    ...notModifiedHeaders,
  ];
  return { etag, body, headers, notModifiedHeaders };
}
