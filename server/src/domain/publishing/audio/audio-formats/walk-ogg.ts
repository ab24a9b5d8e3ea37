import { AudioError, type AudioShape } from '../audio-facts.ts';
import type { ByteWalk } from './walk.ts';

const pageHeaderBytes = 27;
const maxPageBytes = pageHeaderBytes + 255 + 255 * 255;
const beginsStream = 2;
const opusRate = 48_000;
// A page holds seconds; if the first page is later than this, the file was cut from a longer
// stream.
const midStreamSeconds = 60;
const mark = Buffer.from('OggS');

type Codec = 'opus' | 'vorbis';

/** One logical stream. Times ("granules") are samples at `rate`, counted from its beginning. */
interface Link {
  readonly serial: number;
  readonly codec: Codec;
  readonly rate: number;
  readonly preSkip: number;
  first: number;
  last: number;
}

export interface OggWalk extends ByteWalk {
  /** `start`: where the walk began. Throws AudioError if there is nothing to play. */
  result(start: number): AudioShape;
}

/** Ogg with Opus or Vorbis; the lengths of consecutive streams (joined files) are added up. */
export function walkOgg(): OggWalk {
  return new Walk();
}

class Walk implements OggWalk {
  readonly lookaheadBytes = maxPageBytes;
  #link: Link | undefined;
  #codec: Codec | undefined;
  #finishedSeconds = 0;
  #passed = 0;
  #audioBytes = 0;
  #junkBytes = 0;
  #firstAudioAt = -1;
  #hasOther = false;

  advance(window: Buffer, isLast: boolean): number {
    const stop = isLast ? window.length : window.length - this.lookaheadBytes;
    let at = 0;
    while (at < stop) {
      const length = pageBytesAt(window, at);
      if (length > 0) this.#takePage(window.subarray(at, at + length), this.#passed + at);
      at = length > 0 ? at + length : this.#passJunk(window, at);
    }
    this.#passed += at;
    return at;
  }

  result(start: number): AudioShape {
    this.#closeLink();
    if (this.#codec === undefined) {
      throw new AudioError(
        this.#hasOther ? 'unsupported' : 'damaged',
        'The Ogg file contains neither Opus nor Vorbis audio.',
      );
    }
    if (this.#firstAudioAt === -1 || this.#junkBytes > this.#audioBytes) {
      throw new AudioError('damaged', 'The Ogg file is cut off or damaged.');
    }
    return {
      // RFC 7845 gives Opus in Ogg the type audio/ogg and the extension of its own.
      contentType: 'audio/ogg',
      extension: this.#codec === 'opus' ? 'opus' : 'ogg',
      durationSeconds: this.#finishedSeconds,
      audioBytes: this.#audioBytes,
      leadingTagBytes: start + this.#firstAudioAt,
    };
  }

  #takePage(page: Buffer, position: number): void {
    const serial = page.readUInt32LE(14);
    const granule = Number(page.readBigInt64LE(6));
    if (((page[5] ?? 0) & beginsStream) !== 0) {
      this.#openLink(page, serial);
      return;
    }
    const link = this.#link;
    if (link === undefined || serial !== link.serial) return;
    // Header pages have time 0, or -1 inside a long comment.
    if (link.first === -1 && granule <= 0) return;
    if (this.#firstAudioAt === -1) this.#firstAudioAt = position;
    if (link.first === -1) link.first = granule;
    if (granule > 0) link.last = granule;
    this.#audioBytes += page.length;
  }

  #openLink(page: Buffer, serial: number): void {
    // Of parallel streams the first one counts.
    if (this.#link !== undefined && this.#link.first === -1) return;
    const link = tryParseHead(page.subarray(pageHeaderBytes + (page[26] ?? 0)), serial);
    if (link === undefined) {
      this.#hasOther = true;
      return;
    }
    this.#closeLink();
    this.#link = link;
    this.#codec ??= link.codec;
  }

  #closeLink(): void {
    const link = this.#link;
    this.#link = undefined;
    if (link === undefined || link.first === -1) return;
    const isCutOut = link.first > midStreamSeconds * link.rate;
    const samples = link.last - (isCutOut ? link.first : link.preSkip);
    this.#finishedSeconds += Math.max(0, samples) / link.rate;
  }

  #passJunk(window: Buffer, at: number): number {
    const found = window.indexOf(mark, at + 1);
    // A mark may begin in the last three bytes, so they are read again in the next window.
    const next = found === -1 ? Math.max(at + 1, window.length - 3) : found;
    this.#junkBytes += next - at;
    return next;
  }
}

/** The length of the whole page; 0 if no complete page begins here. */
function pageBytesAt(window: Buffer, at: number): number {
  if (at + pageHeaderBytes > window.length || window.compare(mark, 0, 4, at, at + 4) !== 0)
    return 0;
  const segments = window[at + 26] ?? 0;
  let length = pageHeaderBytes + segments;
  for (const size of window.subarray(at + pageHeaderBytes, at + pageHeaderBytes + segments)) {
    length += size;
  }
  return at + length > window.length ? 0 : length;
}

function tryParseHead(body: Buffer, serial: number): Link | undefined {
  const open = { serial, first: -1, last: -1 };
  if (body.length >= 19 && body.toString('latin1', 0, 8) === 'OpusHead') {
    return { ...open, codec: 'opus', rate: opusRate, preSkip: body.readUInt16LE(10) };
  }
  if (body.length >= 30 && body.toString('latin1', 0, 7) === '\x01vorbis') {
    const rate = body.readUInt32LE(12);
    return rate === 0 ? undefined : { ...open, codec: 'vorbis', rate, preSkip: 0 };
  }
  return undefined;
}
