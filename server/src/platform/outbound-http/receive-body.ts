import { Duplex, pipeline, type Readable, Transform, type TransformCallback } from 'node:stream';
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import { OutboundError } from './outbound-http.ts';

/** An honest coding makes no body longer than this beyond what it holds. */
const codingOverheadBytes = 64 * 1024;
/** More than a server could have a reason for. */
const mostCodings = 3;

export interface BodyRules {
  readonly contentEncoding: string | undefined;
  /** Before decoding and after. */
  readonly maxBytes: number;
  readonly idleTimeoutMs: number;
  /** Every error passes through it on its way to the reader. */
  readonly explain: (error: unknown) => unknown;
  /** Called once, when all has arrived or nothing more will. */
  readonly onClose: () => void;
}

/**
 * `source` without its content codings, counted and watched: more than `maxBytes` before or after
 * decoding destroys everything with `too_large`, so that neither a bomb nor an endless stream of
 * nothing goes on; silence of the sender (not slowness of the reader) ends it with `timeout`.
 */
export function receiveBody(source: Readable, rules: BodyRules): Readable {
  const { maxBytes, explain, onClose } = rules;
  const decoders = decodersFor(rules.contentEncoding);
  const onChunk = () => silence.refresh();
  const decoded = new ByteMeter(maxBytes, explain, onChunk);
  const coded = new ByteMeter(maxBytes + codingOverheadBytes, (error) => error, onChunk);
  const silence = setTimeout(() => {
    // What lies here unread waits for its reader; the sender may not even be able to send.
    if (source.readableLength > 0 || decoded.readableLength > 0) silence.refresh();
    else decoded.destroy(new OutboundError('timeout', `silent for ${rules.idleTimeoutMs} ms`));
  }, rules.idleTimeoutMs);
  // Whoever has not begun to read hears of an error when they do; unheard it would end the process.
  decoded.on('error', () => {});
  const stages = decoders.length === 0 ? [] : [coded, ...decoders];
  pipeline([source, ...stages, decoded], () => {
    clearTimeout(silence);
    onClose();
  });
  return decoded;
}

class ByteMeter extends Transform {
  readonly #maxBytes: number;
  readonly #explain: (error: unknown) => unknown;
  readonly #onChunk: () => void;
  #seenBytes = 0;

  constructor(maxBytes: number, explain: (error: unknown) => unknown, onChunk: () => void) {
    super();
    this.#maxBytes = maxBytes;
    this.#explain = explain;
    this.#onChunk = onChunk;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#onChunk();
    this.#seenBytes += chunk.length;
    if (this.#seenBytes > this.#maxBytes) {
      done(new OutboundError('too_large', `more than ${this.#maxBytes} bytes`));
    } else {
      done(null, chunk);
    }
  }

  // Not in _destroy: a reader who comes late is given the error as it was handed to destroy.
  override destroy(error?: Error): this {
    return super.destroy(error && (this.#explain(error) as Error));
  }
}

/** In the order they are to be undone, the last applied first (RFC 9110 §8.4). */
function decodersFor(contentEncoding = ''): Duplex[] {
  const codings = contentEncoding
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity')
    .reverse();
  if (codings.length > mostCodings) {
    throw new OutboundError('unreachable', `coded ${codings.length} times over`);
  }
  return codings.map(createDecoder);
}

function createDecoder(coding: string): Duplex {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'zstd':
      return createZstdDecompress();
    case 'deflate':
      return Duplex.from(inflateEither);
    default:
      throw new OutboundError('unreachable', 'answers in a content coding nobody asked for');
  }
}

// "deflate" means zlib's format, but many servers send the bare stream; the first bytes tell.
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
