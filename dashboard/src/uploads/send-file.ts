import type { DetailedError } from 'tus-js-client';
import { ApiError, readRefusal } from '../api/errors.ts';
import { personOf, type UploadTarget } from './upload-item.ts';

export interface SendOptions {
  readonly file: File;
  readonly target: UploadTarget;
  /** Null: the upload is created. */
  readonly url: string | null;
  readonly onUrl: (url: string) => void;
  readonly onProgress: (sentBytes: number) => void;
  readonly signal: AbortSignal;
}

const endpoint = '/app/api/uploads';
/** The size of a piece. Each is acknowledged, and proxies limit the length of a request. */
const pieceBytes = 32 * 1024 * 1024;
/**
 * A connection that sends no bytes for so long is closed. When a reused connection breaks, Chromium
 * sends the request again automatically, but never its body.
 */
const stalledAfterMs = 6_000;
/**
 * The time limit for a response. It is long because the server may have to store the received bytes.
 */
const unansweredAfterMs = 120_000;
const lookMs = 1_000;

/** Sends a file, or the rest of it. Rejects with an ApiError; nothing is tried again here. */
export async function sendFile(options: SendOptions): Promise<void> {
  const { file, target, url, signal } = options;
  const { Upload } = await import('tus-js-client');
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const watch = { movedAtMs: Date.now(), sentBytes: 0, pieceEnd: 0 };
  const upload = new Upload(file, {
    // No endpoint, because the library would then start a new upload after each refusal.
    ...(url === null ? { endpoint } : { uploadUrl: url }),
    metadata: metadataOf(file, target),
    chunkSize: pieceBytes,
    retryDelays: null,
    storeFingerprintForResuming: false,
    onUploadUrlAvailable: () => options.onUrl(new URL(upload.url ?? '', location.href).pathname),
    onProgress(sentBytes) {
      Object.assign(watch, { movedAtMs: Date.now(), sentBytes });
      options.onProgress(sentBytes);
    },
    onBeforeRequest(request) {
      const isPiece = request.getMethod() === 'PATCH';
      const offset = Number(request.getHeader('Upload-Offset') ?? 0);
      const pieceEnd = isPiece ? Math.min(offset + pieceBytes, file.size) : 0;
      Object.assign(watch, { movedAtMs: Date.now(), sentBytes: offset, pieceEnd });
    },
    onSuccess: () => resolve(),
    onError: (error) => void toApiError(error).then(reject),
  });
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const timer = setInterval(() => {
    const limitMs = watch.sentBytes < watch.pieceEnd ? stalledAfterMs : unansweredAfterMs;
    if (Date.now() - watch.movedAtMs > limitMs) reject(stalled());
  }, lookMs);
  try {
    upload.start();
    await promise;
  } catch (error) {
    await upload.abort().catch(() => {});
    throw error;
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

function metadataOf(file: File, target: UploadTarget): Record<string, string> {
  const { purpose, podcastId: podcast_id, episodeId } = target;
  const personId = personOf(target);
  return {
    ...{ purpose, podcast_id, filename: file.name },
    ...(episodeId !== null && { episode_id: episodeId }),
    ...(personId !== undefined && { person_id: personId }),
  };
}

const stalled = () =>
  new ApiError({ status: 0, code: 'stalled', message: 'The connection carried nothing any more.' });

/** A failure without a response: the connection broke, or the file cannot be read any more. */
async function toApiError(error: Error | DetailedError): Promise<unknown> {
  if (!('originalRequest' in error)) return error;
  const response = error.originalResponse;
  if (response === null || response.getStatus() === 0) {
    return new ApiError({ status: 0, code: 'offline', message: 'The server did not respond.' });
  }
  // Responses with 204 and 304 must have no body, and are not refusals.
  const status = Math.max(response.getStatus(), 400);
  const retryAfter = response.getHeader('Retry-After');
  const headers = retryAfter === undefined ? {} : { 'Retry-After': retryAfter };
  return await readRefusal(new Response(response.getBody(), { status, headers }));
}
