import sharp from 'sharp';
import { words } from './make-audio-bytes.ts';
import type { TaggedChapter } from './make-chapters.ts';

// Files that are made to end or to block the process that reads them.

/** A JSON transcript of 10 MB. */
export const emptySegments = () => Buffer.from(`{"segments":[${'{},'.repeat(3_400_000)}{}]}`);
/** WebVTT of 10 MB, whose tags never end. */
export const openTags = () =>
  Buffer.from(`WEBVTT\n\n00:00.000 --> 00:01.000\n${'<c.'.repeat(3_400_000)}`);

/** A progressive JPEG whose last scan is there thousands of times. */
export async function manyScans(side: number, times: number): Promise<Buffer> {
  const jpeg = await sharp({
    create: { width: side, height: side, channels: 3, background: '#888' },
  })
    .jpeg({ progressive: true })
    .toBuffer();
  const last = jpeg.lastIndexOf(Buffer.from([0xff, 0xda]));
  const scan = jpeg.subarray(last, jpeg.length - 2);
  return Buffer.concat([
    jpeg.subarray(0, last),
    Buffer.alloc(scan.length * times, scan),
    jpeg.subarray(-2),
  ]);
}

/** ID3v2.3: CHAP frames that contain thousands of empty frames. */
export function nestedFrames(chapters: number, frames: number): Buffer {
  const head = (id: string, size: number) =>
    Buffer.concat([Buffer.from(id), words(size), Buffer.alloc(2)]);
  const empty = head('TXXX', 0);
  const times = Buffer.concat([Buffer.from('c\0'), words(0, 1, 0xffffffff, 0xffffffff)]);
  const inside = Buffer.concat([times, Buffer.alloc(empty.length * frames, empty)]);
  const chapter = Buffer.concat([head('CHAP', inside.length), inside]);
  const body = Buffer.alloc(chapter.length * chapters, chapter);
  const size = [21, 14, 7, 0].map((bits) => (body.length >> bits) & 0x7f);
  return Buffer.concat([Buffer.from('ID3\x03\0\0'), Buffer.from(size), body]);
}

/** Chapters whose titles and links are as long as they are read, and full of parameters. */
export function manyLinks(count: number): TaggedChapter[] {
  const address = `https://a.example/?${'a=b&'.repeat(480)}`;
  const title = `${'a://a?b '.repeat(120)}`;
  return Array.from({ length: count }, (_, index) => ({
    ...{ startMs: index, title: title.repeat(4), linkUrl: address },
  }));
}
