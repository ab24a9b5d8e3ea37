import { deserialize, serialize } from 'node:v8';

/** What goes between a process and its child, one after the other: a head of five bytes, a body. */
export interface Frame {
  readonly kind: FrameKind;
  readonly body: Buffer;
}

export const frameKinds = {
  /** To the child: begins a job. */
  call: 1,
  /** To the child: a part of a file. */
  bytes: 2,
  /** To the child: the file ends here. */
  fileEnd: 3,
  /** To the child: no file follows. */
  callEnd: 4,
  /** From the child: a part of the result. */
  part: 6,
  /** From the child: the end of a job. */
  done: 7,
  failed: 8,
  /** From the child: it waits for a span of the job's file, which is sent as a file. */
  ask: 9,
} as const;
export type FrameKind = (typeof frameKinds)[keyof typeof frameKinds];

const headBytes = 5;

export function writeFrame(kind: FrameKind, body: Uint8Array = Buffer.alloc(0)): Buffer {
  const frame = Buffer.allocUnsafe(headBytes + body.length);
  frame.writeUInt32BE(body.length, 0);
  frame[4] = kind;
  frame.set(body, headBytes);
  return frame;
}

export function writeValue(kind: FrameKind, value: unknown): Buffer {
  return writeFrame(kind, serialize(value));
}

export function readValue({ body }: Frame): unknown {
  return deserialize(body);
}

/** Cuts a stream into frames. Throws RangeError for a frame with a larger body than `maxBytes`. */
export class FrameReader {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The frames that this piece completes. */
  *read(chunk: Buffer): Generator<Frame> {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    for (;;) {
      if (this.#length < headBytes) return;
      const size = this.#peek(headBytes).readUInt32BE(0);
      if (size > this.#maxBytes) throw new RangeError(`a frame of ${size} bytes`);
      if (this.#length < headBytes + size) return;
      const whole = this.#peek(headBytes + size);
      const frame = whole.subarray(0, headBytes + size);
      this.#chunks = [whole.subarray(frame.length)];
      this.#length -= frame.length;
      yield { kind: frame[4] as FrameKind, body: frame.subarray(headBytes) };
    }
  }

  /** The waiting bytes in one piece, if the first of them has fewer than needed. */
  #peek(needed: number): Buffer {
    const [first] = this.#chunks;
    if (first !== undefined && first.length >= needed) return first;
    const all = Buffer.concat(this.#chunks);
    this.#chunks = [all];
    return all;
  }
}
