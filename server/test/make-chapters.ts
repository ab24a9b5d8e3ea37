import { box, flac, ftyp, mp4Track, oggPage, opusHead } from './make-audio-bytes.ts';

// Chapters in the tags of audio files.

const word = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

/** The list of comments in Opus, Vorbis and FLAC. */
export function commentList(comments: readonly string[]): Buffer {
  const entries = ['a program', ...comments].map((text) => Buffer.from(text));
  const [vendor, ...rest] = entries.map((entry) => Buffer.concat([word(entry.length), entry]));
  return Buffer.concat([vendor ?? Buffer.alloc(4), word(comments.length), ...rest]);
}

export function flacBlock(kind: number, body: Buffer): Buffer {
  const head = word(body.length).reverse();
  head[0] = kind;
  return Buffer.concat([head, body]);
}

/** Packets in pages of one stream, with a page of another one in between. */
export function oggPackets(...packets: readonly Buffer[]): Buffer {
  const page = (serial: number, sizes: readonly number[], body: Buffer) => {
    const head = Buffer.alloc(27);
    head.write('OggS', 'latin1');
    head.writeUInt32LE(serial, 14);
    head[26] = sizes.length;
    return Buffer.concat([head, Buffer.from(sizes), body]);
  };
  const pages = packets.flatMap((packet) => {
    const sizes = [
      ...Array<number>(Math.floor(packet.length / 255)).fill(255),
      packet.length % 255,
    ];
    const parts: Buffer[] = [];
    for (let first = 0; first < sizes.length; first += 255) {
      const some = sizes.slice(first, first + 255);
      const from = first * 255;
      const length = some.reduce((sum, size) => sum + size, 0);
      parts.push(page(7, some, packet.subarray(from, from + length)));
    }
    return [...parts, page(9, [3], Buffer.from('abc'))];
  });
  return Buffer.concat(pages);
}

/** The body of `chpl` of MP4: titles of up to 255 bytes. */
export function neroList(chapters: readonly (readonly [startMs: number, title: string])[]): Buffer {
  const entries = chapters.map(([ms, title]) => {
    const start = Buffer.alloc(8);
    start.writeBigUInt64BE(BigInt(ms) * 10_000n);
    const bytes = Buffer.from(title).subarray(0, 255);
    return Buffer.concat([start, Buffer.from([bytes.length]), bytes]);
  });
  return Buffer.concat([Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, chapters.length]), ...entries]);
}

export interface TaggedChapter {
  readonly startMs: number;
  readonly title: string;
  readonly linkUrl?: string;
}

function commentsOf(chapters: readonly TaggedChapter[]): Buffer {
  const comments = chapters.flatMap(({ startMs, title, linkUrl }, index) => {
    const name = `CHAPTER${String(index).padStart(3, '0')}`;
    const link = linkUrl === undefined ? [] : [`${name}URL=${linkUrl}`];
    return [`${name}=${startMs / 1000}`, `${name}NAME=${title}`, ...link];
  });
  return commentList(comments);
}

/** Audio of ten seconds with these chapters. MP4 has no links. */
export const chapteredFiles: Readonly<
  Record<'flac' | 'opus' | 'm4a', (chapters: readonly TaggedChapter[]) => Buffer>
> = {
  flac: (chapters) => {
    const whole = flac(44_100, 441_000, 500);
    const head = whole.subarray(0, 42);
    return Buffer.concat([head, flacBlock(4, commentsOf(chapters)), whole.subarray(42)]);
  },
  opus: (chapters) => {
    const tags = Buffer.concat([Buffer.from('OpusTags'), commentsOf(chapters)]);
    const sound = oggPage({ granule: 480_312 }, Buffer.alloc(800, 3));
    return Buffer.concat([
      oggPage({ granule: 0, begins: true }, opusHead()),
      oggPackets(tags),
      sound,
    ]);
  },
  m4a: (chapters) => {
    const list = neroList(chapters.map(({ startMs, title }) => [startMs, title]));
    const track = mp4Track({ handler: 'soun', codec: 'mp4a', ticks: 441_000 });
    const movie = box('moov', track, box('udta', box('chpl', list)));
    return Buffer.concat([ftyp('M4A '), box('mdat', Buffer.alloc(500)), movie]);
  },
};
