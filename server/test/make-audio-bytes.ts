/** Builds audio files for tests from frames, pages, boxes and tags. Their sound is noise. */

export interface MpegMake {
  readonly version?: 1 | 2 | 2.5;
  readonly layer?: 2 | 3;
  readonly kbps?: number;
  readonly rate?: number;
  readonly padding?: boolean;
  readonly mono?: boolean;
  /** Written after the frame's side information: `Xing`, `Info` or (at 36) `VBRI`. */
  readonly mark?: string;
}

const kbpsTables: Readonly<Record<string, readonly number[]>> = {
  '1.2': [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  '1.3': [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  low: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const rateTables: Readonly<Record<string, readonly number[]>> = {
  '1': [44_100, 48_000, 32_000],
  '2': [22_050, 24_000, 16_000],
  '2.5': [11_025, 12_000, 8_000],
};
const versionBits: Readonly<Record<string, number>> = { '1': 3, '2': 2, '2.5': 0 };

/** kbps 0 gives a free-format header. */
export function mpegFrame(make: MpegMake = {}): Buffer {
  const { version = 1, layer = 3, kbps = 128, rate = 44_100, padding = false, mono = false } = make;
  const table = kbpsTables[version === 1 ? `1.${layer}` : 'low'] ?? [];
  const rateIndex = rateTables[String(version)]?.indexOf(rate) ?? -1;
  const bitrateIndex = kbps === 0 ? 0 : table.indexOf(kbps) + 1;
  if (rateIndex < 0 || (kbps !== 0 && bitrateIndex === 0)) throw new RangeError('no such frame');
  const samples = layer === 3 && version !== 1 ? 576 : 1152;
  const length = Math.floor((samples * (kbps || 128) * 125) / rate) + (padding ? 1 : 0);
  const frame = Buffer.alloc(length, 0x55);
  frame[0] = 0xff;
  frame[1] = 0xe1 | ((versionBits[String(version)] ?? 0) << 3) | (layer === 3 ? 2 : 4);
  frame[2] = (bitrateIndex << 4) | (rateIndex << 2) | (padding ? 2 : 0);
  frame[3] = mono ? 0xc0 : 0x40;
  const sideInfo = version === 1 ? (mono ? 17 : 32) : mono ? 9 : 17;
  if (make.mark !== undefined) frame.write(make.mark, make.mark === 'VBRI' ? 36 : 4 + sideInfo);
  return frame;
}

export function repeated(piece: Buffer, times: number): Buffer {
  return Buffer.concat(Array.from({ length: times }, () => piece));
}

/** A tag with a body of this many bytes, all `fill`. */
export function id3v2(bodyBytes: number, fill = 0, footer = false): Buffer {
  const header = Buffer.from([0x49, 0x44, 0x33, 4, 0, footer ? 0x10 : 0, 0, 0, 0, 0]);
  for (let index = 0; index < 4; index += 1) {
    header[6 + index] = (bodyBytes >> (7 * (3 - index))) & 0x7f;
  }
  return Buffer.concat([
    header,
    Buffer.alloc(bodyBytes, fill),
    Buffer.alloc(footer ? 10 : 0, 0x33),
  ]);
}

export function id3v1(): Buffer {
  const tag = Buffer.alloc(128, 0x20);
  tag.write('TAG');
  return tag;
}

export function apeTag(itemBytes: number, options: { header: boolean }): Buffer {
  const part = (flags: number) => {
    const bytes = Buffer.alloc(32);
    bytes.write('APETAGEX');
    bytes.writeUInt32LE(2000, 8);
    bytes.writeUInt32LE(itemBytes + 32, 12);
    bytes.writeUInt32LE(flags, 20);
    return bytes;
  };
  const hasHeader = options.header ? 0x8000_0000 : 0;
  // Items that look like frames, as a cover picture may.
  const items = repeated(mpegFrame(), Math.ceil(itemBytes / 417)).subarray(0, itemBytes);
  const head = options.header ? [part(0xa000_0000)] : [];
  return Buffer.concat([...head, items, part(hasHeader)]);
}

export function adtsFrame(payloadBytes: number, rateIndex = 4, blocks = 1): Buffer {
  const length = payloadBytes + 7;
  const frame = Buffer.alloc(length, 0x21);
  frame.set([0xff, 0xf1, 0x40 | (rateIndex << 2), 0x80 | (length >> 11), (length >> 3) & 0xff]);
  frame.set([((length & 7) << 5) | 0x1f, 0xfc | (blocks - 1)], 5);
  return frame;
}

export function oggPage(
  page: { granule: number; serial?: number; begins?: boolean },
  body: Buffer,
): Buffer {
  const segments = Math.floor(body.length / 255) + 1;
  const header = Buffer.alloc(27 + segments, 255);
  header.write('OggS');
  header[4] = 0;
  header[5] = page.begins === true ? 2 : 0;
  header.writeBigInt64LE(BigInt(page.granule), 6);
  header.writeUInt32LE(page.serial ?? 7, 14);
  header.fill(0, 18, 26);
  header[26] = segments;
  header[26 + segments] = body.length % 255;
  return Buffer.concat([header, body]);
}

export function opusHead(preSkip = 312): Buffer {
  const head = Buffer.alloc(19);
  head.write('OpusHead');
  head.set([1, 2], 8);
  head.writeUInt16LE(preSkip, 10);
  head.writeUInt32LE(48_000, 12);
  return head;
}

export function vorbisHead(rate: number): Buffer {
  const head = Buffer.alloc(30);
  head.write('\x01vorbis', 'latin1');
  head[11] = 2;
  head.writeUInt32LE(rate, 12);
  return head;
}

export function box(name: string, ...bodies: readonly Buffer[]): Buffer {
  const body = Buffer.concat(bodies);
  const header = Buffer.alloc(8);
  header.writeUInt32BE(8 + body.length);
  header.write(name, 4, 'latin1');
  return Buffer.concat([header, body]);
}

/** 32-bit words, big-endian, as in most boxes. */
export function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
}

export interface TrackMake {
  readonly id?: number;
  readonly handler: string;
  readonly codec: string;
  readonly timescale?: number;
  readonly ticks: number;
}

export function mp4Track(make: TrackMake): Buffer {
  const entry = Buffer.alloc(36);
  entry.writeUInt32BE(36);
  entry.write(make.codec, 4, 'latin1');
  const handler = Buffer.concat([words(0, 0), Buffer.from(make.handler), Buffer.alloc(13)]);
  return box(
    'trak',
    box('tkhd', words(0, 0, 0, make.id ?? 1), Buffer.alloc(68)),
    box(
      'mdia',
      box('mdhd', words(0, 0, 0, make.timescale ?? 44_100, make.ticks, 0)),
      box('hdlr', handler),
      box('minf', box('stbl', box('stsd', words(0, 1), entry), box('stsz', words(0, 0, 0)))),
    ),
  );
}

export function ftyp(brand: string): Buffer {
  return box('ftyp', Buffer.from(brand), words(0), Buffer.from('mp42isom'));
}

export function flac(sampleRate: number, samples: number, audioBytes: number): Buffer {
  const info = Buffer.alloc(34);
  info.writeUInt16BE(4096, 0);
  info.writeUInt16BE(4096, 2);
  info.writeUIntBE((sampleRate << 4) | (1 << 1), 10, 3);
  info[13] = 0xf0 | Math.floor(samples / 2 ** 32);
  info.writeUInt32BE(samples % 2 ** 32, 14);
  const padding = Buffer.concat([words(0x8100_0064), Buffer.alloc(100)]);
  return Buffer.concat([
    Buffer.from('fLaC'),
    words(34),
    info,
    padding,
    Buffer.alloc(audioBytes, 0x11),
  ]);
}

interface WavMake {
  readonly coding?: number;
  readonly dataSize?: number;
  /** Samples of 16 bits in a second. */
  readonly rate?: number;
}

export function wav(dataBytes: number, make: WavMake = {}): Buffer {
  const { rate = 8000 } = make;
  const format = Buffer.alloc(24);
  format.write('fmt ');
  format.writeUInt32LE(16, 4);
  format.writeUInt16LE(make.coding ?? 1, 8);
  format.writeUInt16LE(1, 10);
  format.writeUInt32LE(rate, 12);
  format.writeUInt32LE(2 * rate, 16);
  format.writeUInt16LE(2, 20);
  format.writeUInt16LE(16, 22);
  const data = Buffer.alloc(8);
  data.write('data');
  data.writeUInt32LE(make.dataSize ?? dataBytes, 4);
  const riff = Buffer.alloc(12);
  riff.write('RIFF');
  riff.writeUInt32LE(36 + dataBytes, 4);
  riff.write('WAVE', 8);
  return Buffer.concat([riff, format, data, Buffer.alloc(dataBytes, 3)]);
}
