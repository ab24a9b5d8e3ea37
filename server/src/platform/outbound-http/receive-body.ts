import { Duplex, pipeline, type Readable, Transform, type TransformCallback } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { type MinimumRate, OutboundError } from './outbound-http.ts';

/** The most that an honest coding adds to its content. */
const codingOverheadBytes = 64 * 1024;

export interface BodyRules {
  readonly contentEncoding: string | undefined;
  /** The `Accept-Encoding` of the request. */
  readonly acceptEncoding: string | undefined;
  /** Applies before and after decoding. */
  readonly maxBytes: number;
  readonly idleTimeoutMs: number;
  readonly minimumRate: MinimumRate;
  /** Converts every error before the reader gets it. */
  readonly explain: (error: unknown) => unknown;
  /** Called once, when everything has arrived or nothing more will. */
  readonly onClose: () => void;
}

/**
 * Decodes, limits and watches `source`. More than `maxBytes` before or after decoding fails with
 * `too_large`, which stops decompression bombs and endless streams. Silence of the sender (not a
 * slow reader) fails with `timeout`, and a rate below the minimum with `too_slow`.
 */
export function receiveBody(source: Readable, rules: BodyRules): Readable {
  const { maxBytes, explain, onClose } = rules;
  let isOver = false;
  const decoder = decoderFor(rules);
  const onChunk = () => {
    if (!isOver) silence.refresh();
  };
  const decoded = new ByteMeter(maxBytes, explain, onChunk);
  const coded = new ByteMeter(maxBytes + codingOverheadBytes, (error) => error, onChunk);
  // Unread data waits for its reader; the sender may be unable to send more.
  const isReaderSlow = () => source.readableLength > 0 || decoded.readableLength > 0;
  const silence = setTimeout(() => {
    if (isReaderSlow()) silence.refresh();
    else decoded.destroy(new OutboundError('timeout', `silent for ${rules.idleTimeoutMs} ms`));
  }, rules.idleTimeoutMs);
  const stopWatching = watchRate(rules.minimumRate, {
    receivedBytes: () => (decoder === undefined ? decoded : coded).seenBytes,
    isReaderSlow,
    onTooSlow: (error) => decoded.destroy(error),
  });
  // A reader that starts late gets the error then; unhandled, it would end the process.
  decoded.on('error', () => {});
  const stages = decoder === undefined ? [] : [coded, decoder];
  const end = () => {
    if (isOver) return;
    isOver = true;
    clearTimeout(silence);
    stopWatching();
    onClose();
  };
  pipeline([source, ...stages, decoded], end);
  // A pipeline ends when all its streams have closed, which a destroyed response may never do.
  // After the reader has given up, no timer must keep the process alive.
  decoded.once('close', end);
  return decoded;
}

const rateTickMs = 1000;

/** Only the time in which the sender could send counts. Returns the end of the watch. */
function watchRate(
  { bytesPerSecond, periodMs }: MinimumRate,
  transfer: {
    readonly receivedBytes: () => number;
    readonly isReaderSlow: () => boolean;
    readonly onTooSlow: (error: OutboundError) => void;
  },
): () => void {
  let countedMs = 0;
  let bytesBefore = 0;
  const tickMs = Math.min(rateTickMs, periodMs);
  const timer = setInterval(() => {
    if (transfer.isReaderSlow()) return;
    countedMs += tickMs;
    if (countedMs < periodMs) return;
    const bytes = transfer.receivedBytes();
    const rate = Math.floor(((bytes - bytesBefore) * 1000) / countedMs);
    if (rate < bytesPerSecond) {
      const message = `sent only ${rate} bytes per second for ${countedMs / 1000} s`;
      transfer.onTooSlow(new OutboundError('too_slow', message));
    }
    countedMs = 0;
    bytesBefore = bytes;
  }, tickMs);
  return () => clearInterval(timer);
}

class ByteMeter extends Transform {
  readonly #maxBytes: number;
  readonly #explain: (error: unknown) => unknown;
  readonly #onChunk: () => void;
  seenBytes = 0;

  constructor(maxBytes: number, explain: (error: unknown) => unknown, onChunk: () => void) {
    super();
    this.#maxBytes = maxBytes;
    this.#explain = explain;
    this.#onChunk = onChunk;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#onChunk();
    this.seenBytes += chunk.length;
    if (this.seenBytes > this.#maxBytes) {
      done(new OutboundError('too_large', `more than ${this.#maxBytes} bytes`));
    } else {
      done(null, chunk);
    }
  }

  // Not in _destroy: a late reader must get the error that was passed to destroy.
  override destroy(error?: Error): this {
    return super.destroy(error && (this.#explain(error) as Error));
  }
}

/**
 * One coding alone, and one that was requested: between two decoders, nothing would be limited. gzip is
 * always accepted, because some servers apply it unasked.
 */
function decoderFor({ contentEncoding = '', acceptEncoding = '' }: BodyRules): Duplex | undefined {
  const [coding, ...others] = listedIn(contentEncoding).filter((name) => name !== 'identity');
  if (coding === undefined) return undefined;
  if (others.length > 0) return refuseToDecode(`has ${others.length + 1} content codings`);
  const isAccepted = coding === 'gzip' || listedIn(acceptEncoding).includes(coding);
  const decoder = isAccepted ? createDecoder(coding) : undefined;
  return decoder ?? refuseToDecode('used a content coding that was not requested');
}

function listedIn(header: string): string[] {
  const names = header.split(',').map((name) => name.trim().toLowerCase());
  // An alias (RFC 9110 §8.4.1.3).
  return names.filter((name) => name !== '').map((name) => (name === 'x-gzip' ? 'gzip' : name));
}

function createDecoder(coding: string): Duplex | undefined {
  switch (coding) {
    case 'gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'deflate':
      return Duplex.from(inflateEither);
    default:
      return undefined;
  }
}

/** Only who reads the body gets the error: for many callers, the status is all that matters. */
function refuseToDecode(message: string): Duplex {
  const error = new OutboundError('unreachable', message);
  return new Transform({
    transform: (_chunk, _encoding, done) => done(error),
    flush: (done) => done(error),
  });
}

// "deflate" means the zlib format, but many servers send raw deflate; the first bytes tell.
async function* inflateEither(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done === true) return;
  const decoder = hasZlibHeader(first.value) ? createInflate() : createInflateRaw();
  const rest = async function* () {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => chunks };
  };
  pipeline(rest, decoder, () => {});
  yield* decoder;
}

function hasZlibHeader(bytes: Buffer): boolean {
  const [method = 0, flags] = bytes;
  if ((method & 0x0f) !== 8) return false;
  return flags === undefined || (method * 256 + flags) % 31 === 0;
}
