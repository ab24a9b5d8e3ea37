import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MediaMarker } from '../../domain/addresses.ts';
import { type PublicAudioFile, requireSendable } from '../../domain/catalogue/index.ts';
import type { OpenBlob } from '../../platform/blob-store/blob-store.ts';
import { corsHeaders } from '../cors.ts';
import type { HttpContext } from '../http-context.ts';
import { hasKeyInUrl } from '../key-in-url.ts';
import { transportSecurity } from '../transport-security.ts';
import { answerForBlob, type BlobAnswer, type StoredFile } from './blob-answer.ts';
import { DamagedFileError } from './exact-bytes.ts';
import { fileNameOf, mediaCaching, storedFileOf, tryParseMarker } from './media-file.ts';
import { reportMediaResponse } from './report-media-response.ts';
import { PieceSender } from './send-pieces.ts';
import { newTransfer } from './transfer.ts';

/** What is known of a request before anything is read. */
interface Known {
  readonly episodeId: string;
  readonly marker: MediaMarker | undefined;
  readonly audio: PublicAudioFile;
  readonly file: StoredFile;
  readonly answer: BlobAnswer;
}

/** A `:file` that is not the present one is redirected, which is done the long way. */
const mediaPath = /^\/media\/([0-9a-f-]{36})\/(?:([a-z])\/)?([^/?]+)$/;

/**
 * Sends audio by one look-up, before any framework: what `media.ts` has read is kept until its podcast
 * changes, and files that are read often stay open. All that is not simply sent, or would be refused,
 * goes the long way, which has the same rules.
 */
export class MediaAnswers {
  readonly #http: HttpContext;
  readonly #defaultHeaders: readonly string[];
  readonly #pieces = new PieceSender();

  constructor(http: HttpContext) {
    this.#http = http;
    this.#defaultHeaders = [
      ...['Cache-Control', mediaCaching, 'X-Content-Type-Options', 'nosniff'],
      ...transportSecurity(http.ctx.installation.baseUrl),
      ...corsHeaders,
    ];
  }

  handle(request: IncomingMessage, response: ServerResponse, goOn: () => void): void {
    const start = () => this.#start(request, response, goOn);
    if (request.url?.startsWith('/media/') !== true) goOn();
    // One that waits behind another on its connection begins when it is its turn.
    else if (response.socket === null) response.once('socket', start);
    else start();
  }

  #start(request: IncomingMessage, response: ServerResponse, goOn: () => void): void {
    const { freshness } = this.#http.ctx.changes;
    const answer = () => {
      const known = this.#find(request);
      if (known === undefined) goOn();
      else if (typeof known.answer.body !== 'string') goOn();
      else if (known.answer.body === 'none' || known.answer.body === 'handed_over') {
        this.#begin(request, response, known);
        response.end();
      } else this.#open(request, response, known, goOn);
    };
    if (freshness.isConfirmed()) answer();
    else freshness.confirm().then(answer, goOn);
  }

  #find({ method = '', url = '', headers }: IncomingMessage): Known | undefined {
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    const [path = ''] = url.split('?', 1);
    const [, episodeId = '', markerSegment, fileName = ''] = mediaPath.exec(path) ?? [];
    const audio = this.#http.audio.peek(episodeId);
    const copy = audio?.copy ?? null;
    if (audio === undefined || copy === null || fileNameOf(audio) !== fileName) return undefined;
    const marker = markerSegment === undefined ? undefined : tryParseMarker(markerSegment);
    if (markerSegment !== undefined && marker === undefined) return undefined;
    if (hasKeyInUrl(url)) return undefined;
    try {
      requireSendable(audio, fileName);
      const file = storedFileOf(audio, copy);
      const answer = answerForBlob({ method, headers }, file, this.#http.accelRedirect);
      return { episodeId, marker, audio, file, answer };
    } catch {
      // The long way refuses it with words.
      return undefined;
    }
  }

  /** A file that is missing, or not as long as it should be, is not begun with. */
  #open(request: IncomingMessage, response: ServerResponse, known: Known, goOn: () => void): void {
    const { key, sizeBytes } = known.file;
    const opening = this.#http.ctx.blobs.open?.(key);
    const send = (blob: OpenBlob) => {
      if (blob.sizeBytes === sizeBytes) this.#send(request, response, known, blob);
      else {
        blob[Symbol.dispose]();
        goOn();
      }
    };
    if (opening === undefined) goOn();
    else opening.then(send, goOn);
  }

  async #send(
    request: IncomingMessage,
    response: ServerResponse,
    known: Known,
    blob: OpenBlob,
  ): Promise<void> {
    using _open = blob;
    if (response.destroyed) return;
    const handed = { takenBytes: 0 };
    const transfer = this.#begin(request, response, known);
    const [range] = known.answer.requested;
    if (range === undefined) {
      response.end();
      return;
    }
    transfer.begun.push({ start: range.start, bytes: handed });
    try {
      await this.#pieces.send(response, blob, range, handed);
    } catch (error) {
      const missingBytes = range.end - range.start + 1 - handed.takenBytes;
      const damage = new DamagedFileError(known.file.key, `${missingBytes} bytes are missing`);
      const err = error instanceof RangeError ? damage : error;
      this.#http.ctx.log.error({ err }, 'a stored file is damaged');
      response.destroy();
    }
  }

  /** Writes the head; what is sent after it is told to whoever listens. */
  #begin(request: IncomingMessage, response: ServerResponse, known: Known) {
    const { status, headers, requested, body } = known.answer;
    const transfer = { ...newTransfer(), requested, isHandedOver: body === 'handed_over' };
    reportMediaResponse(this.#http, request, response, { ...known, transfer });
    response.writeHead(status, [...headers, ...this.#defaultHeaders, 'X-Request-Id', randomUUID()]);
    this.#http.counts.add('file', status);
    return transfer;
  }
}
