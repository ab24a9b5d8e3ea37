import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import {
  type MediaFile,
  type ObservedRequest,
  type OpenResponse,
  sourceOf,
} from '../../domain/audience/downloads/index.ts';
import type { MediaMarker } from '../../domain/foundation/addresses.ts';
import type { PublicAudioFile } from '../../domain/public/catalogue/index.ts';
import type { ByteRange } from '../../lib/byte-range.ts';
import type { HttpContext } from '../http-context.ts';

/** Data about the bytes of a stored file, updated while they are sent. */
export interface Transfer {
  /** Whether nginx sends the bytes. */
  isHandedOver: boolean;
  /** The ranges that this process has begun to send, each from `start` on. */
  readonly begun: { readonly start: number; readonly bytes: { readonly takenBytes: number } }[];
}

export function newTransfer(): Transfer {
  return { isHandedOver: false, begun: [] };
}

/** The bytes of the file that were handed to the connection so far. */
function sentRanges({ begun }: Transfer): ByteRange[] {
  return begun
    .filter(({ bytes }) => bytes.takenBytes > 0)
    .map(({ start, bytes }) => ({ start, end: start + bytes.takenBytes - 1 }));
}

/** When and from where a request for audio came. */
export interface Arrival {
  readonly at: Date;
  readonly address: string;
}

/**
 * Call it before the response is sent, because a closed connection has no address. Undefined if
 * nobody wants a report, or if the client has disconnected already: it gets nothing.
 */
export function arrivalOf(
  { ctx, addressOf, onMediaResponse }: HttpContext,
  request: IncomingMessage,
  response: ServerResponse,
): Arrival | undefined {
  if (onMediaResponse === undefined || response.destroyed) return undefined;
  return { at: ctx.clock.now(), address: addressOf(request) };
}

interface RequestedAudio {
  readonly episodeId: string;
  readonly marker: MediaMarker | undefined;
  readonly audio: PublicAudioFile;
  /** Updated until the response has ended. */
  readonly transfer: Transfer;
}

/**
 * Calls `http.onMediaResponse` or `http.onMediaHandover` when this response or its connection has
 * ended: at once if the system has taken all of it already, as of most small ranges. The listener
 * of requests can have an open response reported earlier.
 */
export function reportMediaResponse(
  http: HttpContext,
  request: IncomingMessage,
  response: ServerResponse,
  arrival: Arrival | undefined,
  requested: RequestedAudio,
): void {
  const { onMediaRequest, onMediaResponse, onMediaHandover } = http;
  if (onMediaResponse === undefined || arrival === undefined) return;
  const observeNow = () => observe(request, response, arrival, requested);
  const tell = (open?: OpenResponse) =>
    requested.transfer.isHandedOver
      ? onMediaHandover?.(arrival.at, open)
      : onMediaResponse(observeNow(), open)?.catch(fail);
  const fail = (error: unknown) =>
    http.ctx.log.error({ err: error }, 'failed to record a media response');
  const attempt = (call: () => unknown) => {
    try {
      call();
    } catch (error) {
      fail(error);
    }
  };
  if (response.writableEnded && response.writableLength === 0) {
    attempt(() => onMediaRequest?.(arrival.at));
    attempt(() => tell());
    return;
  }
  let isReported = false;
  const open: OpenResponse = {
    at: arrival.at,
    observe: observeNow,
    report() {
      if (isReported) return;
      isReported = true;
      attempt(() => tell(open));
    },
    breakOff: () => void response.destroy(),
  };
  attempt(() => onMediaRequest?.(arrival.at, open));
  response.on('close', open.report);
}

/** A redirect delivers nothing of any file. */
const noFile: MediaFile = {
  hash: '0'.repeat(64),
  sizeBytes: 0,
  durationMs: 0,
  bitrateBps: 0,
  leadingTagBytes: 0,
};

function observe(
  { headers, url = '', method = '' }: IncomingMessage,
  { statusCode: status }: ServerResponse,
  { at, address }: Arrival,
  { episodeId, marker, audio, transfer }: RequestedAudio,
): ObservedRequest {
  return {
    at,
    podcastId: audio.podcastId,
    episodeId,
    source: sourceOf(marker),
    framingHost: framingHostOf(url),
    method,
    address,
    userAgent: headers['user-agent'],
    referrer: headers.referer,
    isPrefetch: isPrefetch(headers),
    status,
    file: status === 302 ? noFile : describeFile(audio),
    sent: sentRanges(transfer),
  };
}

/** Undefined if the address has none, or more than one. */
function framingHostOf(url: string): string | undefined {
  const mark = url.indexOf('?');
  if (mark === -1) return undefined;
  const [host, ...more] = new URLSearchParams(url.slice(mark)).getAll('r');
  return more.length === 0 ? host : undefined;
}

// Browsers send a purpose for requests before playback; older ones use other names.
const prefetchHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

function isPrefetch(headers: IncomingHttpHeaders): boolean {
  for (const name of prefetchHeaders) {
    const purpose = headers[name];
    if (typeof purpose === 'string' && /^(?:prefetch|preview)\b/i.test(purpose)) return true;
  }
  return false;
}

/** Without a copy of the audio, every request is redirected to the other host. */
function describeFile({ copy }: PublicAudioFile): MediaFile {
  if (copy === null) return noFile;
  const { sha256: hash, sizeBytes, durationMs, bitrateBps, leadingTagBytes } = copy;
  return { hash, sizeBytes, durationMs, bitrateBps, leadingTagBytes };
}
