import type { FrameFormat } from './walk-frames.ts';

const sampleRates = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
  7_350,
];
const samplesPerBlock = 1024;

/** Raw AAC in ADTS frames. HE-AAC counts in its core rate, so its length comes out right too. */
export const adtsFormat: FrameFormat = {
  frameBytes(bytes, at) {
    const second = bytes[at + 1] ?? 0;
    // Twelve bits of sync, any MPEG version, layer 0.
    if (bytes[at] !== 0xff || (second & 0xf6) !== 0xf0) return 0;
    if (((bytes[at + 2] ?? 0) >> 2) % 16 >= sampleRates.length) return 0;
    const high = ((bytes[at + 3] ?? 0) & 3) << 11;
    const length = high | ((bytes[at + 4] ?? 0) << 3) | ((bytes[at + 5] ?? 0) >> 5);
    const headerBytes = (second & 1) === 1 ? 7 : 9;
    return length > headerBytes ? length : 0;
  },
  /** Sample rate index, and the number of AAC blocks in the frame less one. */
  kind(bytes, at) {
    return (((bytes[at + 2] ?? 0) >> 2) & 15) | (((bytes[at + 6] ?? 0) & 3) << 4);
  },
  streamMask: 0x0f,
  secondsPerFrame: (kind) => (samplesPerBlock * ((kind >> 4) + 1)) / (sampleRates[kind & 15] ?? 1),
  isIndexFrame: () => false,
};
