import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { MediaMarker } from '../../domain/foundation/addresses.ts';
import type { PublicAudioFile } from '../../domain/public/catalogue/index.ts';
import type { MediaDelivery, MediaResponse } from '../../domain/publishing/audio/index.ts';
import type { HttpContext } from '../http-context.ts';
import { sentRanges, type Transfer } from './transfer.ts';

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
 * Calls `http.onMediaResponse` when this response or its connection has ended: at once if the system
 * has taken all of it already, as of most small ranges.
 */
export function reportMediaResponse(
  http: HttpContext,
  request: IncomingMessage,
  response: ServerResponse,
  arrival: Arrival | undefined,
  requested: RequestedAudio,
): void {
  const { onMediaRequest, onMediaResponse } = http;
  if (onMediaResponse === undefined || arrival === undefined) return;
  const fail = (error: unknown) =>
    http.ctx.log.error({ err: error }, 'nobody took note of a media response');
  const report = () => {
    try {
      onMediaResponse(toMediaResponse(request, response, arrival, requested))?.catch(fail);
    } catch (error) {
      fail(error);
    }
  };
  try {
    onMediaRequest?.(arrival.at);
  } catch (error) {
    fail(error);
  }
  if (response.writableEnded && response.writableLength === 0) report();
  // `close` is emitted once.
  else response.on('close', report);
}

function toMediaResponse(
  { headers, url = '', method }: IncomingMessage,
  { statusCode: status }: ServerResponse,
  { at, address }: Arrival,
  { episodeId, marker, audio, transfer }: RequestedAudio,
): MediaResponse {
  return {
    at,
    podcastId: audio.podcastId,
    episodeId,
    marker,
    framingHost: framingHostOf(url),
    method: method as MediaResponse['method'],
    address,
    userAgent: headers['user-agent'],
    referrer: headers.referer,
    isPrefetch: isPrefetch(headers),
    status,
    delivery: describe(status, audio, transfer),
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

function describe(status: number, { copy }: PublicAudioFile, transfer: Transfer): MediaDelivery {
  if (copy === null || status === 302) return { kind: 'redirected' };
  const { sha256: hash, sizeBytes, durationMs, bitrateBps, leadingTagBytes } = copy;
  const file = { hash, sizeBytes, durationMs, bitrateBps, leadingTagBytes };
  const { requested } = transfer;
  if (transfer.isHandedOver) return { kind: 'handed_over', file, requested };
  return { kind: 'sent', file, requested, sent: sentRanges(transfer) };
}
