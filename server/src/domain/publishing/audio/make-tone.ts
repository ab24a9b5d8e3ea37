import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { AudioFacts } from './audio-facts.ts';

// MPEG-2 layer III, 24,000 Hz, mono, 32 kbit/s: every frame is 96 bytes and 24 ms, without padding.
const frameBytes = 96;
const frameMs = 24;
const bitrateBps = 32_000;
const framesPerPiece = 640;
const loudGain = 200;

const minToneSeconds = 1;
const maxToneSeconds = 7200;

/**
 * The facts that `readAudioFile` finds in `makeTone(seconds)`. Rejects with RangeError as
 * `makeTone` throws.
 */
export async function toneFacts(seconds: number): Promise<AudioFacts> {
  const frames = framesOf(seconds);
  const hash = createHash('sha256');
  for await (const piece of makeTone(seconds)) hash.update(piece);
  return {
    contentType: 'audio/mpeg',
    extension: 'mp3',
    sizeBytes: frames * frameBytes,
    // Within 12 ms of the requested seconds, because it has whole frames.
    durationMs: frames * frameMs,
    bitrateBps,
    leadingTagBytes: 0,
    sha256: hash.digest('hex'),
  };
}

/** How much quieter than usual the tone is at a second, in steps of 1.5 dB from 0 to 60. */
export type Quietness = (atSeconds: number) => number;

/**
 * A real MP3 of that many seconds (whole, 1 to 7,200; else RangeError): a steady, audible 583 Hz,
 * or one that swells. It is generated while it is read, in pieces of 60 kB. The same input always
 * gives the same bytes.
 */
export function makeTone(seconds: number, quietness: Quietness = () => 0): Readable {
  return Readable.from(pieces(framesOf(seconds), quietness), { objectMode: false });
}

function framesOf(seconds: number): number {
  if (!Number.isInteger(seconds) || seconds < minToneSeconds || seconds > maxToneSeconds) {
    throw new RangeError(`a tone has ${minToneSeconds} to ${maxToneSeconds} whole seconds`);
  }
  return Math.round((seconds * 1000) / frameMs);
}

function* pieces(frames: number, quietness: Quietness): Generator<Buffer> {
  const frameAt: Buffer[] = [];
  for (let from = 0; from < frames; from += framesPerPiece) {
    const length = Math.min(frames - from, framesPerPiece);
    const piece = Buffer.alloc(length * frameBytes);
    for (let index = 0; index < length; index += 1) {
      const steps = quietness(((from + index) * frameMs) / 1000);
      frameAt[steps] ??= toneFrame(steps);
      frameAt[steps].copy(piece, index * frameBytes);
    }
    yield piece;
  }
}

/**
 * The frame that is repeated to make the tone. It does not use bits of earlier frames
 * (main_data_begin 0) and has a single line of the spectrum. A repeated line turns its phase by a
 * quarter from block to block. The sine window blends the quarters into one steady sine, if the
 * line is in the middle of its subband, where there is no aliasing. Line 27 is the tenth of subband
 * 1, and sounds at 28/576 of 12 kHz.
 */
function toneFrame(quieterBy: number): Buffer {
  const frame = Buffer.alloc(frameBytes);
  // Sync, MPEG-2, layer III, no CRC · 32 kbit/s, 24 kHz, no padding · mono, original.
  frame.set([0xff, 0xf3, 0x44, 0xc4]);
  const mainDataBits: readonly Bits[] = [
    ['lines 24, 25: 0, 0', 1, 0b1],
    ['lines 26, 27: 0, 1', 3, 0b001],
    ['sign of line 27', 1, 0],
  ];
  const sideInfo: readonly Bits[] = [
    ['main_data_begin', 8, 0],
    ['private_bits', 1, 0],
    ['part2_3_length', 12, sumOfLengths(mainDataBits)],
    ['big_values', 9, 14],
    ['global_gain', 8, loudGain - quieterBy],
    ['scalefac_compress', 9, 0],
    ['window_switching', 1, 0],
    // Region 0, lines 0 to 23, is silent and takes no bits; table 1 knows 0 and 1.
    ['table_select', 15, 0b00000_00001_00001],
    ['region0_count', 4, 3],
    ['region1_count', 3, 7],
    ['scalefac_scale', 1, 0],
    ['count1table_select', 1, 0],
  ];
  frame.set(packBits([...sideInfo, ...mainDataBits]), 4);
  return frame;
}

type Bits = readonly [field: string, length: number, value: number];

function sumOfLengths(fields: readonly Bits[]): number {
  return fields.reduce((sum, [, length]) => sum + length, 0);
}

function packBits(fields: readonly Bits[]): Buffer {
  const bits = fields.map(([, length, value]) => value.toString(2).padStart(length, '0')).join('');
  const bytes = bits.match(/.{1,8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)));
}
