import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { MediaMarker } from '../../domain/addresses.ts';
import type { PublicAudioFile } from '../../domain/catalogue/index.ts';
import type { MediaDelivery, MediaResponse } from '../../domain/media/index.ts';
import type { HttpContext } from '../http-context.ts';
import { sentRanges, type Transfer } from './transfer.ts';

interface RequestedAudio {
  readonly episodeId: string;
  readonly marker: MediaMarker | undefined;
  readonly audio: PublicAudioFile;
  /** Updated until the response has ended. */
  readonly transfer: Transfer;
}

/** Calls `http.onMediaResponse` when this response or its connection has ended. */
export function reportMediaResponse(
  http: HttpContext,
  request: IncomingMessage,
  response: ServerResponse,
  { episodeId, marker, audio, transfer }: RequestedAudio,
): void {
  const { onMediaRequest, onMediaResponse } = http;
  // The client has disconnected already: it gets nothing, and there is no further `close` event.
  if (onMediaResponse === undefined || response.destroyed) return;
  const at = http.ctx.clock.now();
  // Read now, because a closed connection has no address.
  const address = http.addressOf(request);
  onMediaRequest?.(at);
  const fail = (error: unknown) =>
    http.ctx.log.error({ err: error }, 'nobody took note of a media response');
  // `close` is emitted once.
  response.on('close', () => {
    const { headers, url = '', method } = request;
    const { statusCode: status } = response;
    try {
      const noted = onMediaResponse({
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
      });
      noted?.catch(fail);
    } catch (error) {
      fail(error);
    }
  });
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
