import type { MediaFile, MediaResponse } from '../../../publishing/audio/index.ts';
import { sourceOf } from '../audio-request.ts';
import type { ObservedRequest } from '../observed-request.ts';

/** A redirect delivers nothing of any file. */
const noFile: MediaFile = {
  hash: '0'.repeat(64),
  sizeBytes: 0,
  durationMs: 0,
  bitrateBps: 0,
  leadingTagBytes: 0,
};

/** Undefined for a response whose bytes nginx sends: only its log knows what was delivered. */
export function observeMediaResponse(response: MediaResponse): ObservedRequest | undefined {
  const { marker, delivery } = response;
  if (delivery.kind === 'handed_over') return undefined;
  return {
    at: response.at,
    podcastId: response.podcastId,
    episodeId: response.episodeId,
    source: sourceOf(marker),
    address: response.address,
    userAgent: response.userAgent,
    referrer: response.referrer,
    framingHost: response.framingHost,
    method: response.method,
    status: response.status,
    isPrefetch: response.isPrefetch,
    file: delivery.kind === 'sent' ? delivery.file : noFile,
    sent: delivery.kind === 'sent' ? delivery.sent : [],
  };
}
