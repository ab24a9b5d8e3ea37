import { AudioError } from '../audio-facts.ts';
import { tagBytesAt } from './tags.ts';
import type { ByteWalk } from './walk.ts';

/** How frames of one kind of stream (MPEG, ADTS) are read. All take a position in the bytes. */
export interface FrameFormat {
  /** The length of the whole frame; 0 if no frame header begins here. */
  frameBytes(bytes: Buffer, at: number): number;
  /** A number below 256 for everything that decides a frame's duration. */
  kind(bytes: Buffer, at: number): number;
  /** Two kinds that agree in these bits belong to one stream. */
  readonly streamMask: number;
  secondsPerFrame(kind: number): number;
  isIndexFrame(bytes: Buffer, at: number, length: number): boolean;
}

interface FrameCount {
  readonly durationSeconds: number;
  readonly frames: number;
  /** The sum of whole audio frames, without tags, index frame and junk. */
  readonly audioBytes: number;
  /** Bytes that were neither frames nor tags. */
  readonly junkBytes: number;
  /** The position of the first audio frame, from the beginning of the walk. */
  readonly firstFrameAt: number;
}

export interface FrameWalk extends ByteWalk {
  result(): FrameCount;
}

// Junk often looks like a frame, but not like several in a row. In a known stream one further frame
// of the same stream is enough proof, before that three.
const proofAtStart = 3;
const proofAfterJunk = 1;
// With more junk before the first frame, the file is something else. The limit is above the size of
// a cover picture behind a tag that states a wrong size.
const maxLeadingJunkBytes = 8 * 1024 * 1024;
// Four of the longest frames (ADTS: 8,191 bytes) and a header.
const lookaheadBytes = 40_000;

/** Walks from frame to frame: exact in time, in bounded memory. Throws AudioError `not_audio`. */
export function walkFrames(format: FrameFormat): FrameWalk {
  return new Walk(format);
}

class Walk implements FrameWalk {
  readonly lookaheadBytes = lookaheadBytes;
  readonly #format: FrameFormat;
  readonly #framesOfKind = new Float64Array(256);
  /** The bits of the current stream; -1 before the first frame. */
  #stream = -1;
  /** True directly after a frame, a tag or zero padding: the next frame needs no further proof. */
  #aligned = true;
  /** The rest of a tag that is longer than the window. */
  #skip = 0;
  #passed = 0;
  #frames = 0;
  #audioBytes = 0;
  #junkBytes = 0;
  #firstFrameAt = -1;

  constructor(format: FrameFormat) {
    this.#format = format;
  }

  advance(window: Buffer, isLast: boolean): number {
    const stop = isLast ? window.length : window.length - this.lookaheadBytes;
    let at = Math.min(this.#skip, window.length);
    this.#skip -= at;
    while (at < stop) at = this.#step(window, at);
    // A tag or frame may end behind the window.
    const consumed = Math.min(at, window.length);
    this.#skip += at - consumed;
    this.#passed += consumed;
    return consumed;
  }

  result(): FrameCount {
    let durationSeconds = 0;
    for (const [kind, frames] of this.#framesOfKind.entries()) {
      if (frames > 0) durationSeconds += frames * this.#format.secondsPerFrame(kind);
    }
    return {
      durationSeconds,
      frames: this.#frames,
      audioBytes: this.#audioBytes,
      junkBytes: this.#junkBytes,
      firstFrameAt: this.#firstFrameAt,
    };
  }

  /** Reads the frame, tag or junk at `at` and returns its end. */
  #step(window: Buffer, at: number): number {
    const length = this.#frameAt(window, at);
    if (length > 0) {
      this.#takeFrame(window, at, length);
      return at + length;
    }
    if (this.#aligned) {
      const tag = tagBytesAt(window, at);
      if (tag > 0) return at + tag;
    }
    return this.#passJunk(window, at);
  }

  /** The length of a frame with enough proof, else 0. */
  #frameAt(window: Buffer, at: number): number {
    const length = this.#format.frameBytes(window, at);
    if (length === 0 || at + length > window.length) return 0;
    const stream = this.#format.kind(window, at) & this.#format.streamMask;
    const known = stream === this.#stream;
    if (known && this.#aligned) return length;
    const proof = known ? proofAfterJunk : proofAtStart;
    return this.#isFollowed(window, at + length, stream, proof) ? length : 0;
  }

  /** Whether `count` more frames of this stream, or the end of the audio, follow. */
  #isFollowed(window: Buffer, from: number, stream: number, count: number): boolean {
    let at = from;
    for (let seen = 0; seen < count; seen += 1) {
      if (at === window.length) return true;
      const length = this.#format.frameBytes(window, at);
      if (length === 0) return tagBytesAt(window, at) > 0;
      if ((this.#format.kind(window, at) & this.#format.streamMask) !== stream) return false;
      at += length;
      // A file that was cut off ends inside this frame, so there is no further proof.
      if (at > window.length) return seen > 0;
    }
    return true;
  }

  #takeFrame(window: Buffer, at: number, length: number): void {
    const kind = this.#format.kind(window, at);
    const isFirst = this.#stream === -1;
    this.#stream = kind & this.#format.streamMask;
    this.#aligned = true;
    if (isFirst && this.#format.isIndexFrame(window, at, length)) return;
    if (this.#firstFrameAt === -1) this.#firstFrameAt = this.#passed + at;
    this.#framesOfKind[kind] = (this.#framesOfKind[kind] ?? 0) + 1;
    this.#frames += 1;
    this.#audioBytes += length;
  }

  /** Returns the next byte that may begin a frame. Zero padding leaves the walk aligned. */
  #passJunk(window: Buffer, at: number): number {
    let next = at;
    while (next < window.length && window[next] === 0) next += 1;
    if (next === at || !this.#aligned) {
      this.#aligned = false;
      next = nextSync(window, at + 1);
    }
    this.#junkBytes += next - at;
    if (this.#stream === -1 && this.#junkBytes > maxLeadingJunkBytes) {
      throw new AudioError('not_audio', 'No audio was recognized in the file.');
    }
    return next;
  }
}

function nextSync(window: Buffer, from: number): number {
  // Faster than `indexOf` for each byte of a run of 0xff.
  if (window[from] === 0xff) return from;
  const sync = window.indexOf(0xff, from);
  return sync === -1 ? window.length : sync;
}
