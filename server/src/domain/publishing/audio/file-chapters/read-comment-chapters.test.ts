import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commentList, flacBlock, oggPackets } from '../../../../../test/make-chapters.ts';
import type { ReadBytes } from '../audio-formats/mp4-boxes.ts';
import { readFlacChapters, readOggChapters } from './read-comment-chapters.ts';

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
  it('chapters in comments of Opus and Vorbis are found, also behind a picture of several pages', async () => {
    const opus = Buffer.concat([Buffer.from('OpusTags'), commentList(comments)]);
    const vorbis = Buffer.concat([
      Buffer.from('\x03vorbis'),
      commentList(comments),
      Buffer.from([1]),
    ]);
    for (const tags of [opus, vorbis]) {
      const file = oggPackets(Buffer.from('OpusHead'), tags, Buffer.alloc(600, 5));
      expect(await readOgg(file)).toEqual(chapters);
    }
    expect(await readOgg(oggPackets(Buffer.from('OpusHead'), Buffer.from('other')))).toEqual([]);
  });

  it('chapters in comments of FLAC are found behind other blocks', async () => {
    const file = [flacBlock(0, Buffer.alloc(34)), flacBlock(0x84, commentList(comments))];
    const flac = Buffer.concat([Buffer.from('fLaC'), ...file]);
    expect(await readFlacChapters(reading(flac), maxBytes)).toEqual(chapters);
    const none = Buffer.concat([Buffer.from('fLaC'), flacBlock(0x80, Buffer.alloc(34))]);
    expect(await readFlacChapters(reading(none), maxBytes)).toEqual([]);
  });

  it('chapters in comments are empty for any bytes', async () => {
    const bytes = fc.uint8Array({ maxLength: 300 }).map((some) => Buffer.from(some));
    await fc.assert(
      fc.asyncProperty(bytes, async (body) => {
        const tags = Buffer.concat([Buffer.from('OpusTags'), body]);
        for (const file of [
          body,
          oggPackets(body, tags),
          oggPackets(tags, tags).subarray(0, 100),
        ]) {
          expect(Array.isArray(await readOgg(file))).toBe(true);
        }
        const flac = Buffer.concat([Buffer.from('fLaC'), body]);
        expect(Array.isArray(await readFlacChapters(reading(flac), maxBytes))).toBe(true);
      }),
    );
  });
});
