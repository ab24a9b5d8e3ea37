import type { FrameFormat } from './walk-frames.ts';

// MPEG audio, layers II and III: bit rates in kbit/s by index 1 to 14 (ISO 11172-3, 13818-3).
const kbpsV1L2 = [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384];
const kbpsV1L3 = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const kbpsV2 = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
// Versions by their code in the header: 0 = MPEG-2.5, 2 = MPEG-2, 3 = MPEG-1; 1 is reserved.
const sampleRates: Readonly<Record<number, readonly number[]>> = {
  0: [11_025, 12_000, 8_000],
  2: [22_050, 24_000, 16_000],
  3: [44_100, 48_000, 32_000],
};
const layerIII = 1;
const layerII = 2;

// By the header's second and third byte (sync, version, layer, protection; bit rate, sample rate,
// padding): the length of the frame, 0 if it is none; and its kind, which is constant in a stream.
const lengths = new Uint16Array(65_536);
const kinds = new Uint8Array(65_536);
const samplesOfKind: number[] = [];
const ratesOfKind: number[] = [];

/** Version, layer and sample rate in one small number: `version << 4 | layer << 2 | rate`. */
function fillTables(): void {
  for (let key = 0xe000; key < 0x10000; key += 1) {
    const version = (key >> 11) & 3;
    const layer = (key >> 9) & 3;
    const rateIndex = (key >> 2) & 3;
    const rate = sampleRates[version]?.[rateIndex];
    const bitrateIndex = (key >> 4) & 15;
    const table = version === 3 ? (layer === layerIII ? kbpsV1L3 : kbpsV1L2) : kbpsV2;
    const kbps = table[bitrateIndex - 1];
    if (rate === undefined || kbps === undefined) continue;
    if (layer !== layerIII && layer !== layerII) continue;
    const samples = layer === layerIII && version !== 3 ? 576 : 1152;
    const kind = (version << 4) | (layer << 2) | rateIndex;
    lengths[key] = Math.floor((samples * kbps * 125) / rate) + ((key >> 1) & 1);
    kinds[key] = kind;
    samplesOfKind[kind] = samples;
    ratesOfKind[kind] = rate;
  }
}
fillTables();

function keyAt(bytes: Buffer, at: number): number {
  return bytes[at] === 0xff ? ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0) : 0;
}

/**
 * MP3 (and MP2). Free format has no length in its header, so its frames are not recognized here.
 */
export const mpegFormat: FrameFormat = {
  frameBytes: (bytes, at) => lengths[keyAt(bytes, at)] ?? 0,
  kind: (bytes, at) => kinds[keyAt(bytes, at)] ?? 0,
  streamMask: 0xff,
  secondsPerFrame: (kind) => (samplesOfKind[kind] ?? 0) / (ratesOfKind[kind] ?? 1),
  isIndexFrame,
};

/** True for a header that is valid except for bit rate index 0: free format. */
export function isFreeFormat(bytes: Buffer, at: number): boolean {
  const key = keyAt(bytes, at);
  return key >= 0xe000 && ((key >> 4) & 15) === 0 && (lengths[key | 0x10] ?? 0) > 0;
}

/**
 * The Xing, Info or VBRI frame that encoders put first: an index that looks like a silent frame,
 * and which players skip. In the middle of joined files players play it, so only the first counts.
 */
function isIndexFrame(bytes: Buffer, at: number, length: number): boolean {
  const version1 = ((bytes[at + 1] ?? 0) >> 3) % 4 === 3;
  const mono = (bytes[at + 3] ?? 0) >> 6 === 3;
  const crcBytes = ((bytes[at + 1] ?? 0) & 1) === 0 ? 2 : 0;
  const sideInfoBytes = version1 ? (mono ? 17 : 32) : mono ? 9 : 17;
  const word = (offset: number) =>
    offset + 4 <= length ? bytes.toString('latin1', at + offset, at + offset + 4) : '';
  // With a CRC, encoders put the mark at one of two places; LAME's files have it at either.
  for (const offset of [4 + sideInfoBytes, 4 + crcBytes + sideInfoBytes]) {
    if (word(offset) === 'Xing' || word(offset) === 'Info') return true;
  }
  return word(36) === 'VBRI';
}

const adtsSampleRates = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
  7_350,
];
const samplesPerBlock = 1024;

/** Raw AAC in ADTS frames. HE-AAC counts in its core rate, so its length is right, too. */
export const adtsFormat: FrameFormat = {
  frameBytes(bytes, at) {
    const second = bytes[at + 1] ?? 0;
    // Twelve bits of sync, any MPEG version, layer 0.
    if (bytes[at] !== 0xff || (second & 0xf6) !== 0xf0) return 0;
    if (((bytes[at + 2] ?? 0) >> 2) % 16 >= adtsSampleRates.length) return 0;
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
  secondsPerFrame: (kind) =>
    (samplesPerBlock * ((kind >> 4) + 1)) / (adtsSampleRates[kind & 15] ?? 1),
  isIndexFrame: () => false,
};
