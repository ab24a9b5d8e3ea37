import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MediaMarker } from '../../domain/foundation/addresses.ts';
import { type PublicAudioFile, requireSendable } from '../../domain/public/catalogue/index.ts';
import type { OpenBlob } from '../../platform/blob-store/blob-store.ts';
import { tryConfirm } from '../../platform/database/announcements/freshness.ts';
import type { HttpContext } from '../http-context.ts';
import type { EarlyHandler } from '../requests/isolated-requests.ts';
import { hasKeyInUrl } from '../requests/key-in-url.ts';
import { corsHeaders, transportSecurity } from '../responses/default-headers.ts';
import {
  type BlobResponse,
  blobResponseTo,
  type DescribedFile,
  describeFile,
} from './blob-response.ts';
import { DamagedFileError } from './exact-bytes.ts';
import { fileNameOf, mediaCaching, storedFileOf, tryParseMarker } from './media-file.ts';
import {
  type Arrival,
  arrivalOf,
  reportMediaResponse,
  type Transfer,
} from './report-media-response.ts';
import { PieceSender } from './send-pieces.ts';

interface MediaRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
}

/** The data of a request before the file is opened. */
interface Known {
  readonly episodeId: string;
  readonly marker: MediaMarker | undefined;
  readonly audio: PublicAudioFile;
  readonly file: DescribedFile;
  readonly blobResponse: BlobResponse;
}

/** Audio that can be sent, with the only file name of its address. */
interface Sendable {
  readonly fileName: string;
  readonly file: DescribedFile;
}

/** If `:file` is not the present name, the framework redirects. */
const mediaPath = /^\/media\/([0-9a-f-]{36})\/(?:([a-z])\/)?([^/?]+)(?:\?|$)/;

/**
 * Sends audio with one look-up, without the framework. Data that `media-routes.ts` has read is cached
 * until the podcast changes, and files that are read often stay open. All other requests, and those
 * to refuse, are passed on to the framework, which has the same rules.
 */
export class MediaFastPath implements EarlyHandler {
  readonly #http: HttpContext;
  readonly #defaultHeaders: readonly string[];
  readonly #pieces: PieceSender;
  /** By cached audio, which a change replaces. Null: the framework responds. */
  readonly #sendable = new WeakMap<PublicAudioFile, Sendable | null>();

  constructor(http: HttpContext) {
    this.#http = http;
    this.#pieces = new PieceSender(http.writeTurns);
    this.#defaultHeaders = [
      ...['Cache-Control', mediaCaching, 'X-Content-Type-Options', 'nosniff'],
      ...transportSecurity(http.ctx.installation.baseUrl),
      ...Object.entries(corsHeaders).flat(),
    ];
  }

  handle(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
  ): boolean | Promise<boolean> {
    if (request.url?.startsWith('/media/') !== true) return false;
    const exchange = { request, response, requestId };
    const isReady =
      response.socket !== null && this.#http.ctx.announcements.freshness.isConfirmed();
    return isReady ? this.#respond(exchange) : this.#waitAndRespond(exchange);
  }

  async #waitAndRespond(exchange: MediaRequest): Promise<boolean> {
    const { response } = exchange;
    // A pipelined request waits until the earlier response on its connection has ended.
    if (response.socket === null && !response.destroyed) await once(response, 'socket');
    const { freshness } = this.#http.ctx.announcements;
    const isFresh = freshness.isConfirmed() || (await tryConfirm(freshness));
    return isFresh && this.#respond(exchange);
  }

  #respond(exchange: MediaRequest): boolean | Promise<boolean> {
    const known = this.#find(exchange.request);
    if (known === undefined || typeof known.blobResponse.body !== 'string') return false;
    if (known.blobResponse.body === 'none' || known.blobResponse.body === 'handed_over') {
      return this.#sendHead(exchange, known);
    }
    return this.#open(exchange, known);
  }

  #find({ method = '', url = '', headers }: IncomingMessage): Known | undefined {
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    const [, episodeId = '', markerSegment, fileName] = mediaPath.exec(url) ?? [];
    const audio = this.#http.audio.peek(episodeId);
    if (audio === undefined) return undefined;
    const sendable = this.#findSendable(audio);
    if (sendable === undefined || sendable.fileName !== fileName) return undefined;
    const marker = markerSegment === undefined ? undefined : tryParseMarker(markerSegment);
    if (markerSegment !== undefined && marker === undefined) return undefined;
    if (hasKeyInUrl(url)) return undefined;
    try {
      const { file } = sendable;
      const blobResponse = blobResponseTo({ method, headers }, file, this.#http.accelRedirect);
      return { episodeId, marker, audio, file, blobResponse };
    } catch {
      // The framework then refuses it with a message.
      return undefined;
    }
  }

  #findSendable(audio: PublicAudioFile): Sendable | undefined {
    let sendable = this.#sendable.get(audio);
    if (sendable === undefined) {
      sendable = describeSendable(audio, this.#defaultHeaders);
      this.#sendable.set(audio, sendable);
    }
    return sendable ?? undefined;
  }

  /** Sends the file only if it exists and has the right size. */
  #open(exchange: MediaRequest, known: Known): boolean | Promise<boolean> {
    if (!this.#http.fileClients.audio.hasPlace(exchange.request)) return false;
    const opened = this.#http.ctx.blobs.open?.(known.file.key);
    if (opened === undefined) return false;
    if (!(opened instanceof Promise)) return this.#sendFrom(opened, exchange, known);
    return opened.then(
      (blob) => this.#sendFrom(blob, exchange, known),
      () => false,
    );
  }

  #sendFrom(blob: OpenBlob, exchange: MediaRequest, known: Known): boolean | Promise<boolean> {
    let sending: Promise<void> | undefined;
    try {
      if (blob.sizeBytes !== known.file.sizeBytes) return false;
      sending = this.#send(exchange, known, blob);
    } finally {
      if (sending === undefined) blob[Symbol.dispose]();
    }
    return sending?.finally(() => blob[Symbol.dispose]()).then(() => true) ?? true;
  }

  /** Returns undefined if it needs the file no longer. */
  #send(exchange: MediaRequest, known: Known, blob: OpenBlob): Promise<void> | undefined {
    const { response } = exchange;
    const [range] = known.blobResponse.requested;
    if (response.destroyed) return undefined;
    if (range === undefined) {
      this.#sendHead(exchange, known);
      return undefined;
    }
    const arrival = arrivalOf(this.#http, exchange.request, response);
    this.#writeHead(exchange, known);
    const handed = { takenBytes: 0 };
    const breakOff = (error: unknown) => {
      const missingBytes = range.end - range.start + 1 - handed.takenBytes;
      const damage = new DamagedFileError(known.file.key, `${missingBytes} bytes are missing`);
      const err = error instanceof RangeError ? damage : error;
      const { requestId } = exchange;
      this.#http.ctx.log.error({ err, requestId }, 'a stored file is damaged');
      response.destroy();
    };
    const sending = this.#pieces.send(response, blob, range, handed)?.catch(breakOff);
    this.#report(exchange, arrival, known, [{ start: range.start, bytes: handed }]);
    if (sending === undefined) return undefined;
    const place = this.#http.fileClients.audio.add(exchange.request);
    return sending.finally(() => place[Symbol.dispose]());
  }

  #sendHead(exchange: MediaRequest, known: Known): true {
    const arrival = arrivalOf(this.#http, exchange.request, exchange.response);
    this.#writeHead(exchange, known);
    exchange.response.end();
    this.#report(exchange, arrival, known, []);
    return true;
  }

  #writeHead(
    { response, requestId }: MediaRequest,
    { blobResponse: { status, headers } }: Known,
  ): void {
    headers.push('X-Request-Id', requestId);
    response.writeHead(status, headers);
    this.#http.counts.add('file', status);
  }

  #report(
    { request, response }: MediaRequest,
    arrival: Arrival | undefined,
    { episodeId, marker, audio, blobResponse: { body } }: Known,
    begun: Transfer['begun'],
  ): void {
    const transfer: Transfer = { isHandedOver: body === 'handed_over', begun };
    const about = { episodeId, marker, audio, transfer };
    reportMediaResponse(this.#http, request, response, arrival, about);
  }
}

/** Null if the audio is external or hidden. */
function describeSendable(audio: PublicAudioFile, headers: readonly string[]): Sendable | null {
  const fileName = fileNameOf(audio);
  if (audio.copy === null) return null;
  try {
    requireSendable(audio, fileName);
  } catch {
    return null;
  }
  return { fileName, file: describeFile(storedFileOf(audio, audio.copy), headers) };
}
