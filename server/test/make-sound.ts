/** Generates MP3 of distinct recordings: bursts of noise, as different as syllables. */

/** The duration of a frame. Frames are independent: they can be cut, inserted and repeated. */
export const soundFrameMs = 24;

const frameBytes = 96;
const headBytes = 4;
/** The number of pairs of spectral lines that are written: up to 3.3 kHz. */
const pairs = 160;

/** A repeatable sequence of numbers from 0 to 1. */
export function randomNumbers(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1) | 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Each seed gives another recording. `gain` is in steps of 1.5 dB. */
export function soundFrames(seed: number, seconds: number, gain = 0): Buffer[] {
  const random = randomNumbers(seed);
  const frames: Buffer[] = [];
  const count = Math.round((seconds * 1000) / soundFrameMs);
  while (frames.length < count) {
    const isPause = random() < 0.1;
    const level = isPause ? 120 : 185 + Math.floor(random() * 18);
    const center = Math.floor(random() * pairs);
    const length = 3 + Math.floor(random() * 9);
    for (let index = 0; index < length; index += 1) {
      frames.push(soundFrame({ level: level + gain, center, random }));
    }
  }
  return frames.slice(0, count);
}

export function silentFrames(seconds: number): Buffer[] {
  const frame = soundFrame({ level: 0, center: 0, random: () => 0.5 });
  return Array<Buffer>(Math.round((seconds * 1000) / soundFrameMs)).fill(frame);
}

interface Burst {
  readonly level: number;
  /** Its position in the spectrum. */
  readonly center: number;
  readonly random: () => number;
}

/** MPEG-2 layer III, 24,000 Hz, mono, 32 kbit/s, as in `makeTone`: here with many lines. */
function soundFrame({ level, center, random }: Burst): Buffer {
  const lines = Array.from({ length: pairs }, (_, pair) =>
    pairBits(Math.abs(pair - center) < 20 ? 0.5 : 0.03, random),
  ).join('');
  const sideInfo: readonly (readonly [bits: number, value: number])[] = [
    [8, 0], // main_data_begin
    [1, 0],
    [12, lines.length],
    [9, pairs],
    [8, level],
    [9, 0], // scalefac_compress
    [1, 0], // window_switching
    [15, 0b00001_00001_00001], // table_select
    [4, 7],
    [3, 7],
    [1, 0],
    [1, 0],
  ];
  const head = sideInfo.map(([bits, value]) => value.toString(2).padStart(bits, '0')).join('');
  const bytes = (head + lines).match(/.{1,8}/g) ?? [];
  const frame = Buffer.alloc(frameBytes);
  frame.set([0xff, 0xf3, 0x44, 0xc4]);
  frame.set(
    bytes.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)),
    headBytes,
  );
  return frame;
}

/** Two lines of the spectrum, by Huffman table 1: each -1, 0 or 1. */
function pairBits(density: number, random: () => number): string {
  const one = random() < density;
  const other = random() < density;
  const sign = () => (random() < 0.5 ? '0' : '1');
  if (one && other) return `000${sign()}${sign()}`;
  if (one) return `01${sign()}`;
  return other ? `001${sign()}` : '1';
}
