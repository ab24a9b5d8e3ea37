import { createReadStream, type ReadStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { newId } from '../../../../lib/uuid.ts';
import { OutboundError } from '../../../../platform/outbound-http/outbound-http.ts';
import type { Context } from '../../../foundation/context.ts';
import type { ImportLimits } from '../import-limits.ts';
import { refuseImport } from '../refuse-import.ts';
import { FeedError, WebPageError } from './feed/feed-error.ts';
import type { ImportReader } from './import-reader.ts';
import { refuseOwnAddress } from './own-feed.ts';
import type { ReadPage } from './read-feed.ts';

export type FeedSource =
  | { readonly url: string }
  | { readonly path: string }
  | { readonly bytes: Buffer };

/** A page of a feed: its content, and its bytes in a local file. */
export interface FetchedDocument {
  readonly feed: ReadPage;
  readonly path: string;
  readonly sizeBytes: number;
  readonly charset: string | undefined;
  /** The requested URL, its target after redirects, and after permanent redirects only. */
  readonly address:
    | { readonly requested: string; readonly final: string; readonly permanent: string }
    | undefined;
}

type FeedLimits = Pick<
  ImportLimits,
  'feedBytes' | 'feedTimeoutMs' | 'idleTimeoutMs' | 'minimumRate'
>;

const accept = 'application/rss+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5';

/**
 * Fetches a page of a feed to a file, and reads it. Refuses other documents after their beginning,
 * and endless ones at their limit. Throws FeedError (WebPageError for a page that may name feeds),
 * OutboundError, or a refusal for an unreadable file.
 */
export async function fetchDocument(
  ctx: Context,
  source: FeedSource,
  reader: ImportReader,
  limits: FeedLimits,
  signal: AbortSignal | undefined,
): Promise<FetchedDocument> {
  const { body, charset, address } = await openSource(ctx, source, limits, signal);
  const path = join(ctx.blobs.scratchDir, `feed-${newId()}.xml`);
  try {
    await using file = await open(path, 'wx', 0o600);
    using reserved = await ctx.blobs.room.reserve();
    const options = {
      charset,
      baseUrl: address?.final,
      limits: { totalBytes: limits.feedBytes },
    };
    const check = (beginning: Buffer) => reader.feedBeginning(beginning, options);
    const sizeBytes = await receive(file, reserved.taking(body), {
      maxBytes: limits.feedBytes,
      check,
      signal,
    });
    const feed = await reader.feed(createReadStream(path), { ...options, sizeBytes });
    return { feed, path, sizeBytes, charset, address };
  } catch (error) {
    if (body instanceof Readable) body.destroy();
    try {
      if (!isWebPage(error)) throw error;
      const page = await readBeginning(path);
      throw new WebPageError(error.message, await reader.feedLinks(page, address?.final));
    } finally {
      await rm(path, { force: true });
    }
  }
}

interface OpenSource {
  readonly body: AsyncIterable<Buffer>;
  readonly charset?: string | undefined;
  readonly address?: FetchedDocument['address'];
}

async function openSource(
  ctx: Context,
  source: FeedSource,
  limits: FeedLimits,
  signal: AbortSignal | undefined,
): Promise<OpenSource> {
  if ('bytes' in source) return { body: once(source.bytes) };
  if ('path' in source) return { body: openFile(source.path) };
  const response = await ctx.outbound.request(source.url, {
    headers: { accept },
    checkAddress: (address) => refuseOwnAddress(ctx, address),
    maxBytes: limits.feedBytes,
    triesSecondAgent: true,
    timeoutMs: limits.feedTimeoutMs,
    idleTimeoutMs: limits.idleTimeoutMs,
    minimumRate: limits.minimumRate,
    ...(signal === undefined ? {} : { signal }),
  });
  const { status, url: final, permanentUrl: permanent, body, headers } = response;
  if (status !== 200) {
    body.destroy();
    const message = `${new URL(final).host} returned status ${status}`;
    throw new OutboundError('http_status', message, { status });
  }
  const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(headers['content-type'] ?? '')?.[1];
  return { body, charset, address: { requested: source.url, final, permanent } };
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

async function* openFile(path: string): AsyncGenerator<Buffer> {
  const file: ReadStream = createReadStream(path);
  try {
    yield* file as AsyncIterable<Buffer>;
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    const reason = code === 'EACCES' ? 'permission denied' : code;
    const message =
      code === 'ENOENT'
        ? `There is no file ${path}.`
        : `The file ${path} cannot be read: ${reason}.`;
    throw refuseImport('file_unreadable', message, { cause });
  }
}

/** A web page, or something without end, is recognized by then. */
const beginningBytes = 320 * 1024;
/** How much of a web page is searched for feeds. */
const pageBytes = 2 * 1024 * 1024;

function isWebPage(error: unknown): error is FeedError {
  return error instanceof FeedError && error.reason === 'html';
}

async function readBeginning(path: string): Promise<Buffer> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(pageBytes) });
  return buffer.subarray(0, bytesRead);
}

/** The end of a feed, after which some servers keep the connection open. */
const ending = /<\/(?:rss|rdf:rdf)\s*>\s*$/i;
const endingBytes = 64;

/**
 * Resolves to the number of bytes. One byte more than allowed is kept: it has the feed refused. A web page is
 * refused when as much of it is there as is searched.
 */
async function receive(
  file: FileHandle,
  body: AsyncIterable<Buffer>,
  {
    maxBytes,
    check,
    signal,
  }: {
    readonly maxBytes: number;
    readonly check: (beginning: Buffer) => Promise<void>;
    readonly signal: AbortSignal | undefined;
  },
): Promise<number> {
  let beginning: Buffer[] | undefined = [];
  let webPage: FeedError | undefined;
  let sizeBytes = 0;
  for await (const chunk of body) {
    signal?.throwIfAborted();
    const kept = chunk.subarray(0, maxBytes + 1 - sizeBytes);
    await file.write(kept);
    sizeBytes += kept.length;
    beginning?.push(kept);
    if (beginning !== undefined && sizeBytes >= beginningBytes) {
      await check(Buffer.concat(beginning)).catch((error: unknown) => {
        if (!isWebPage(error)) throw error;
        webPage = error;
      });
      beginning = undefined;
    }
    if (webPage !== undefined && sizeBytes >= pageBytes) break;
    if (sizeBytes > maxBytes || ending.test(kept.toString('latin1', kept.length - endingBytes))) {
      break;
    }
  }
  if (webPage !== undefined) throw webPage;
  return sizeBytes;
}
