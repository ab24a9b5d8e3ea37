import { type FileHandle, open } from 'node:fs/promises';
import type { DiskRoom } from '../blob-store/disk-room.ts';
import {
  describeUrl,
  type MinimumRate,
  OutboundError,
  type OutboundHttp,
  type OutboundResponse,
} from './outbound-http.ts';
import {
  beginPartial,
  discardPartial,
  findPartial,
  type PartialNote,
  purgePartial,
} from './partial-download.ts';

export interface DownloadOptions {
  /** The limit for the file; a larger one fails with `too_large` and is removed. */
  readonly maxBytes: number;
  /** For everything, including retries. */
  readonly timeoutMs: number;
  /** The longest pause without data; default 15 s. */
  readonly idleTimeoutMs?: number;
  /** As in OutboundRequest; a host that is too slow is not asked again. */
  readonly minimumRate?: MinimumRate | undefined;
  /** Called for every chunk. `totalBytes` is undefined if unknown. */
  readonly onProgress?: (receivedBytes: number, totalBytes: number | undefined) => void;
  readonly signal?: AbortSignal;
  /** As in OutboundRequest. */
  readonly checkAddress?: ((address: string) => void) | undefined;
  /** Reserves room for the file while it is received. */
  readonly room?: DiskRoom | undefined;
  /** For tests: how to wait between attempts. */
  readonly delay?: (delayMs: number, signal: AbortSignal | undefined) => Promise<void>;
}

export interface DownloadedFile {
  readonly sizeBytes: number;
  readonly contentType: string | undefined;
  /** The address after redirects. */
  readonly finalUrl: string;
}

type Partial = PartialNote & { readonly sizeBytes: number };

/** The local part is useless; the next attempt starts over. */
class ChangedFileError extends OutboundError {}

/** One request for the missing part of a file, and its result. */
export class DownloadAttempt {
  readonly #outbound: OutboundHttp;
  readonly #url: string;
  readonly #path: string;
  readonly #options: DownloadOptions;
  readonly #deadline: number;
  #gotSomething = false;

  constructor(
    outbound: OutboundHttp,
    url: string,
    path: string,
    options: DownloadOptions,
    deadline: number,
  ) {
    this.#outbound = outbound;
    this.#url = url;
    this.#path = path;
    this.#options = options;
    this.#deadline = deadline;
  }

  /**
   * Whether another attempt may succeed. `once`: the connection was reset before the first byte, as
   * by a server that closes idle connections or restarts.
   */
  isWorthAnother(error: unknown): 'yes' | 'once' | 'no' {
    if (performance.now() >= this.#deadline) return 'no';
    if (error instanceof ChangedFileError) return 'yes';
    if (!(error instanceof OutboundError)) return 'no';
    if (error.reason !== 'unreachable' && error.reason !== 'timeout') return 'no';
    if (this.#gotSomething) return 'yes';
    return isReset(error) ? 'once' : 'no';
  }

  async run(): Promise<DownloadedFile> {
    const partial = await findPartial(this.#path, this.#url);
    const response = await this.#request(partial);
    try {
      if (response.status === 200) return await this.#receiveWhole(response);
      if (response.status === 206 && partial) return await this.#receiveRest(response, partial);
      if (response.status === 416 && partial) return await this.#finish(response, partial);
    } finally {
      response.body.destroy();
    }
    const { status } = response;
    const message = `${describeUrl(new URL(response.url))} returned status ${status}`;
    throw new OutboundError('http_status', message, { status });
  }

  #request(partial: Partial | undefined): Promise<OutboundResponse> {
    const { maxBytes, idleTimeoutMs, minimumRate, signal, checkAddress } = this.#options;
    // Offsets refer to the file's own bytes, so no content coding.
    const headers = { 'accept-encoding': 'identity' };
    const rest = partial && {
      range: `bytes=${partial.sizeBytes}-`,
      'if-range': partial.validator,
    };
    return this.#outbound.request(this.#url, {
      headers: { ...headers, ...rest },
      maxBytes,
      minimumRate,
      checkAddress,
      triesSecondAgent: true,
      timeoutMs: Math.max(1, this.#deadline - performance.now()),
      ...(idleTimeoutMs === undefined ? {} : { idleTimeoutMs }),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  async #receiveWhole(response: OutboundResponse): Promise<DownloadedFile> {
    const { headers } = response;
    const validator = resumptionValidator(headers);
    const contentType = headers['content-type'] ?? null;
    const length =
      headers['content-encoding'] === undefined ? headers['content-length'] : undefined;
    const totalBytes = length === undefined ? null : Number(length);
    const note = { url: this.#url, contentType, totalBytes };
    await beginPartial(this.#path, validator === undefined ? undefined : { ...note, validator });
    return await this.#receive(response, 0, totalBytes, contentType);
  }

  async #receiveRest(response: OutboundResponse, partial: Partial): Promise<DownloadedFile> {
    const continuation = continuationOf(response.headers, partial);
    if (continuation === undefined) return await this.#beginAnew(response);
    const { sizeBytes, contentType } = partial;
    return await this.#receive(response, sizeBytes, continuation.totalBytes, contentType);
  }

  async #finish(response: OutboundResponse, partial: Partial): Promise<DownloadedFile> {
    if (!isAllThere(response.headers, partial)) return await this.#beginAnew(response);
    if (partial.sizeBytes > this.#options.maxBytes) throw this.#tooLarge();
    return await this.#complete(response, partial.sizeBytes, partial.contentType);
  }

  async #beginAnew(response: OutboundResponse): Promise<never> {
    await discardPartial(this.#path);
    const message = `${describeUrl(new URL(response.url))} has changed`;
    throw new ChangedFileError('unreachable', message);
  }

  async #receive(
    response: OutboundResponse,
    start: number,
    totalBytes: number | null,
    contentType: string | null,
  ): Promise<DownloadedFile> {
    const { maxBytes, onProgress, room } = this.#options;
    if ((totalBytes ?? start) > maxBytes) throw this.#tooLarge();
    let position = start;
    await using file = await open(this.#path, 'r+');
    const restBytes = totalBytes === null ? undefined : totalBytes - start;
    using reserved = await room?.reserveArriving(restBytes);
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      if (position + chunk.length > maxBytes) throw this.#tooLarge();
      await reserved?.take(chunk.length);
      await writeAll(file, chunk, position);
      position += chunk.length;
      this.#gotSomething = true;
      onProgress?.(position, totalBytes ?? undefined);
    }
    if (position !== (totalBytes ?? position)) {
      const message = `${describeUrl(new URL(response.url))} ended after ${position} bytes`;
      throw new OutboundError('unreachable', message);
    }
    return await this.#complete(response, position, contentType);
  }

  async #complete(
    response: OutboundResponse,
    sizeBytes: number,
    contentType: string | null,
  ): Promise<DownloadedFile> {
    await purgePartial(this.#path);
    return { sizeBytes, contentType: contentType ?? undefined, finalUrl: response.url };
  }

  #tooLarge(): OutboundError {
    return new OutboundError('too_large', `more than ${this.#options.maxBytes} bytes`);
  }
}

function isReset({ cause }: OutboundError): boolean {
  return cause instanceof Error && (cause as NodeJS.ErrnoException).code === 'ECONNRESET';
}

/** Writes at an offset: a second writer of the same bytes then does no harm. */
async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const rest = bytes.length - written;
    written += (await file.write(bytes, written, rest, position + written)).bytesWritten;
  }
}

type Headers = Readonly<Record<string, string>>;

/**
 * The validator for a later If-Range (RFC 9110 §13.1.5): a strong ETag, or a Last-Modified at least
 * a second older than the response. Undefined if the download cannot be resumed; coded bytes are
 * not the file's bytes.
 */
function resumptionValidator(headers: Headers): string | undefined {
  if (isCoded(headers) || headers['accept-ranges']?.toLowerCase() === 'none') return undefined;
  const { etag, date, 'last-modified': lastModified } = headers;
  if (etag !== undefined && /^"[^"]*"$/.test(etag)) return etag;
  if (date === undefined || lastModified === undefined) return undefined;
  return Date.parse(date) - Date.parse(lastModified) >= 1000 ? lastModified : undefined;
}

/**
 * The total size of a 206 that continues exactly after the present bytes of the same file, or null
 * if the server does not know it. Undefined if the response does not fit.
 */
function continuationOf(
  headers: Headers,
  partial: PartialNote & { sizeBytes: number },
): { totalBytes: number | null } | undefined {
  const range = /^bytes (\d+)-(\d+)\/(\d+|\*)$/i.exec(headers['content-range'] ?? '');
  if (range === null || isCoded(headers) || !isSame(headers, partial)) return undefined;
  const totalBytes = range[3] === '*' ? null : Number(range[3]);
  if (Number(range[1]) !== partial.sizeBytes) return undefined;
  const expected = partial.totalBytes ?? totalBytes;
  return totalBytes === null || totalBytes === expected ? { totalBytes: expected } : undefined;
}

/** Whether a 416 means that the file is already complete. */
function isAllThere(headers: Headers, partial: PartialNote & { sizeBytes: number }): boolean {
  if (!isSame(headers, partial)) return false;
  const range = /^bytes \*\/(\d+)$/i.exec(headers['content-range'] ?? '');
  const totalBytes = range === null ? partial.totalBytes : Number(range[1]);
  return totalBytes === partial.sizeBytes;
}

// A server that ignores If-Range reveals itself by another validator.
function isSame(headers: Headers, { validator }: PartialNote): boolean {
  const { etag, 'last-modified': lastModified } = headers;
  const now = validator.startsWith('"') ? etag : lastModified;
  return now === undefined || now === validator;
}

function isCoded(headers: Headers): boolean {
  return (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity';
}
