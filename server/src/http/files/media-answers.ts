import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MediaMarker } from '../../domain/addresses.ts';
import { type PublicAudioFile, requireSendable } from '../../domain/catalogue/index.ts';
import type { OpenBlob } from '../../platform/blob-store/blob-store.ts';
import { corsHeaders } from '../cors.ts';
import type { HttpContext } from '../http-context.ts';
import { hasKeyInUrl } from '../key-in-url.ts';
import { transportSecurity } from '../transport-security.ts';
import { answerForBlob, type BlobAnswer, type DescribedFile, describeFile } from './blob-answer.ts';
import { DamagedFileError } from './exact-bytes.ts';
import { fileNameOf, mediaCaching, storedFileOf, tryParseMarker } from './media-file.ts';
import { type Arrival, arrivalOf, reportMediaResponse } from './report-media-response.ts';
import { PieceSender } from './send-pieces.ts';
import type { Transfer } from './transfer.ts';

/** The data of a request before the file is opened. */
interface Known {
  readonly episodeId: string;
  readonly marker: MediaMarker | undefined;
  readonly audio: PublicAudioFile;
  readonly file: DescribedFile;
  readonly answer: BlobAnswer;
}

/** Audio that can be sent, with the only file name of its address. */
interface Sendable {
  readonly fileName: string;
  readonly file: DescribedFile;
}

/** If `:file` is not the present name, the framework redirects. */
const mediaPath = /^\/media\/([0-9a-f-]{36})\/(?:([a-z])\/)?([^/?]+)(?:\?|$)/;

/**
 * Sends audio with one look-up, without the framework. Data that `media.ts` has read is cached
 * until the podcast changes, and files that are read often stay open. All other requests, and those
 * to refuse, are passed on to the framework, which has the same rules.
 */
export class MediaAnswers {
  readonly #http: HttpContext;
  readonly #defaultHeaders: readonly string[];
  readonly #pieces = new PieceSender();
  /** By cached audio, which a change replaces. Null: the framework answers. */
  readonly #sendable = new WeakMap<PublicAudioFile, Sendable | null>();

  constructor(http: HttpContext) {
    this.#http = http;
    this.#defaultHeaders = [
      ...['Cache-Control', mediaCaching, 'X-Content-Type-Options', 'nosniff'],
      ...transportSecurity(http.ctx.installation.baseUrl),
      ...corsHeaders,
    ];
  }

  handle(request: IncomingMessage, response: ServerResponse, goOn: () => void): void {
    if (request.url?.startsWith('/media/') !== true) goOn();
    else if (response.socket !== null) this.#start(request, response, goOn);
    // A pipelined request waits until the earlier response on its connection has ended.
    else response.once('socket', () => this.#start(request, response, goOn));
  }

  #start(request: IncomingMessage, response: ServerResponse, goOn: () => void): void {
    const { freshness } = this.#http.ctx.changes;
    if (freshness.isConfirmed()) this.#answer(request, response, goOn);
    else freshness.confirm().then(() => this.#answer(request, response, goOn), goOn);
  }

  #answer(request: IncomingMessage, response: ServerResponse, goOn: () => void): void {
    const known = this.#find(request);
    if (known === undefined || typeof known.answer.body !== 'string') goOn();
    else if (known.answer.body === 'none' || known.answer.body === 'handed_over') {
      this.#sendHead(request, response, known);
    } else this.#open(request, response, known, goOn);
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
      const answer = answerForBlob({ method, headers }, file, this.#http.accelRedirect);
      return { episodeId, marker, audio, file, answer };
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
  #open(request: IncomingMessage, response: ServerResponse, known: Known, goOn: () => void): void {
    const { key, sizeBytes } = known.file;
    const send = (blob: OpenBlob) => {
      if (blob.sizeBytes === sizeBytes) this.#send(request, response, known, blob);
      else {
        blob[Symbol.dispose]();
        goOn();
      }
    };
    const opened = this.#http.ctx.blobs.open?.(key);
    if (opened === undefined) goOn();
    else if (opened instanceof Promise) opened.then(send, goOn);
    else send(opened);
  }

  #send(request: IncomingMessage, response: ServerResponse, known: Known, blob: OpenBlob): void {
    const [range] = known.answer.requested;
    if (response.destroyed || range === undefined) {
      blob[Symbol.dispose]();
      if (!response.destroyed) this.#sendHead(request, response, known);
      return;
    }
    const arrival = arrivalOf(this.#http, request, response);
    this.#writeHead(response, known);
    const handed = { takenBytes: 0 };
    const sending = this.#pieces.send(response, blob, range, handed);
    const begun = [{ start: range.start, bytes: handed }];
    this.#report(request, response, arrival, known, begun);
    if (sending === undefined) blob[Symbol.dispose]();
    else {
      const breakOff = (error: unknown) => {
        const missingBytes = range.end - range.start + 1 - handed.takenBytes;
        const damage = new DamagedFileError(known.file.key, `${missingBytes} bytes are missing`);
        const err = error instanceof RangeError ? damage : error;
        this.#http.ctx.log.error({ err }, 'a stored file is damaged');
        response.destroy();
      };
      sending.catch(breakOff).finally(() => blob[Symbol.dispose]());
    }
  }

  #sendHead(request: IncomingMessage, response: ServerResponse, known: Known): void {
    const arrival = arrivalOf(this.#http, request, response);
    this.#writeHead(response, known);
    response.end();
    this.#report(request, response, arrival, known, []);
  }

  #writeHead(response: ServerResponse, { answer: { status, headers } }: Known): void {
    headers.push('X-Request-Id', randomUUID());
    response.writeHead(status, headers);
    this.#http.counts.add('file', status);
  }

  #report(
    request: IncomingMessage,
    response: ServerResponse,
    arrival: Arrival | undefined,
    { episodeId, marker, audio, answer: { requested, body } }: Known,
    begun: Transfer['begun'],
  ): void {
    const transfer: Transfer = { requested, isHandedOver: body === 'handed_over', begun };
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
