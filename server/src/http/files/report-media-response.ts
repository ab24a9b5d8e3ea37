import type { FastifyReply, FastifyRequest } from 'fastify';
import type { MediaMarker } from '../../domain/addresses.ts';
import type { PublicAudioFile } from '../../domain/catalogue/index.ts';
import type { MediaDelivery, MediaResponse } from '../../domain/media/index.ts';
import type { HttpContext } from '../http-context.ts';
import { sentRanges, type Transfer } from './transfer.ts';

interface RequestedAudio {
  readonly episodeId: string;
  readonly marker: MediaMarker | undefined;
  readonly audio: PublicAudioFile;
  /** Filled in until the response has ended. */
  readonly transfer: Transfer;
}

/** Tells `http.onMediaResponse` of this response when it, or its connection, has ended. */
export function reportMediaResponse(
  http: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { episodeId, marker, audio, transfer }: RequestedAudio,
): void {
  const { onMediaRequest, onMediaResponse } = http;
  if (onMediaResponse === undefined) return;
  const { r } = request.query as Readonly<Record<string, unknown>>;
  const known = {
    at: http.ctx.clock.now(),
    podcastId: audio.podcastId,
    episodeId,
    marker,
    framingHost: typeof r === 'string' ? r : undefined,
    method: request.method as MediaResponse['method'],
    // Asked now: a connection that has ended does not know it.
    address: http.addressOf(request.raw),
    userAgent: request.headers['user-agent'],
    referrer: request.headers.referer,
    isPrefetch: prefetchHeaders.some((name) => isPrefetch(request.headers[name])),
  };
  onMediaRequest?.(known.at);
  reply.raw.once('close', async () => {
    const status = reply.raw.statusCode;
    try {
      await onMediaResponse({ ...known, status, delivery: describe(status, audio, transfer) });
    } catch (error) {
      http.ctx.log.error({ err: error }, 'nobody took note of a media response');
    }
  });
}

// Browsers name a purpose before anybody presses play; older ones under names of their own.
const prefetchHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

function isPrefetch(purpose: string | string[] | undefined): boolean {
  return typeof purpose === 'string' && /^(?:prefetch|preview)\b/i.test(purpose);
}

function describe(status: number, { copy }: PublicAudioFile, transfer: Transfer): MediaDelivery {
  if (copy === null || status === 302) return { kind: 'redirected' };
  const { sha256: hash, sizeBytes, durationMs, bitrateBps, leadingTagBytes } = copy;
  const file = { hash, sizeBytes, durationMs, bitrateBps, leadingTagBytes };
  const { requested } = transfer;
  if (transfer.isHandedOver) return { kind: 'handed_over', file, requested };
  return { kind: 'sent', file, requested, sent: sentRanges(transfer) };
}
