import { makeTone } from '../src/domain/publishing/audio/index.ts';

function frame(id: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(id), Buffer.from([0, 0, 0, body.length, 0, 0]), body]);
}

function chapterFrame(title: string, index: number): Buffer {
  const times = Buffer.alloc(16, 0xff);
  times.writeUInt32BE(index * 1000, 0);
  times.writeUInt32BE(index * 1000 + 1000, 4);
  const name = frame('TIT2', Buffer.from([3]), Buffer.from(title));
  return frame('CHAP', Buffer.from(`c${index}\0`), times, name);
}

/** A real MP3 of 5 seconds with a chapter for each title, which lasts a second. */
export async function toneWithChapters(...titles: readonly string[]): Promise<Buffer> {
  const tag = Buffer.concat(titles.map(chapterFrame));
  const head = Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, tag.length >> 7, tag.length & 0x7f]);
  return Buffer.concat([head, tag, ...(await makeTone(5).toArray())]);
}
