import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReadBytes } from '../audio-formats/mp4-boxes.ts';
import { readFlacChapters, readOggChapters } from './read-comment-chapters.ts';

const word = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

/** The list of comments in Opus, Vorbis and FLAC. */
function listOf(comments: readonly string[]): Buffer {
  const entries = ['a program', ...comments].map((text) => Buffer.from(text));
  const [vendor, ...rest] = entries.map((entry) => Buffer.concat([word(entry.length), entry]));
  return Buffer.concat([vendor ?? Buffer.alloc(4), word(comments.length), ...rest]);
}

/** Packets in pages of one stream, with a page of another one in between. */
function ogg(...packets: readonly Buffer[]): Buffer {
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

const reading =
  (file: Buffer): ReadBytes =>
  async (at, length) =>
    file.subarray(at, at + length);
const maxBytes = 16 * 1024 * 1024;
const readOgg = (file: Buffer) => readOggChapters(reading(file), maxBytes);

const picture = `METADATA_BLOCK_PICTURE=${'A'.repeat(200_000)}`;
const comments = [
  'TITLE=The episode',
  'CHAPTER001=00:00:00.000',
  'CHAPTER001NAME=Intro',
  picture,
  'chapter002=00:01:05.250',
  'chapter002name=Zweites ✓',
  'CHAPTER002URL=https://example.com/',
];
const chapters = [
  { startMs: 0, title: 'Intro' },
  { startMs: 65_250, title: 'Zweites ✓', linkUrl: 'https://example.com/' },
];

describe('chapters in comments', () => {
  it('of Opus and Vorbis are found, also behind a picture of several pages', async () => {
    const opus = Buffer.concat([Buffer.from('OpusTags'), listOf(comments)]);
    const vorbis = Buffer.concat([Buffer.from('\x03vorbis'), listOf(comments), Buffer.from([1])]);
    for (const tags of [opus, vorbis]) {
      const file = ogg(Buffer.from('OpusHead'), tags, Buffer.alloc(600, 5));
      expect(await readOgg(file)).toEqual(chapters);
    }
    expect(await readOgg(ogg(Buffer.from('OpusHead'), Buffer.from('other')))).toEqual([]);
  });

  it('of FLAC are found behind other blocks', async () => {
    const block = (kind: number, body: Buffer) => {
      const head = word(body.length).reverse();
      head[0] = kind;
      return Buffer.concat([head, body]);
    };
    const file = [block(0, Buffer.alloc(34)), block(0x84, listOf(comments))];
    const flac = Buffer.concat([Buffer.from('fLaC'), ...file]);
    expect(await readFlacChapters(reading(flac), maxBytes)).toEqual(chapters);
    const none = Buffer.concat([Buffer.from('fLaC'), block(0x80, Buffer.alloc(34))]);
    expect(await readFlacChapters(reading(none), maxBytes)).toEqual([]);
  });

  it('are empty for any bytes', async () => {
    const bytes = fc.uint8Array({ maxLength: 300 }).map((some) => Buffer.from(some));
    await fc.assert(
      fc.asyncProperty(bytes, async (body) => {
        const tags = Buffer.concat([Buffer.from('OpusTags'), body]);
        for (const file of [body, ogg(body, tags), ogg(tags, tags).subarray(0, 100)]) {
          expect(Array.isArray(await readOgg(file))).toBe(true);
        }
        const flac = Buffer.concat([Buffer.from('fLaC'), body]);
        expect(Array.isArray(await readFlacChapters(reading(flac), maxBytes))).toBe(true);
      }),
    );
  });
});
