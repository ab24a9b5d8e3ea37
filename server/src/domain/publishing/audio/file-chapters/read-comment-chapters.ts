import { readChapterComments } from '../../transcripts/parsing/index.ts';
import type { ReadBytes } from '../audio-formats/mp4-boxes.ts';
import { maxFileChapters, type RawFileChapter } from './file-chapter.ts';

const pageHeadBytes = 27;
const pieceBytes = 65_536;
/** The packets before it: the identification of Opus and Vorbis. */
const opusTags = Buffer.from('OpusTags');
const vorbisTags = Buffer.from('\x03vorbis');

/** Chapters in the comments of Opus and Vorbis, which are the second packet of an Ogg file. */
export async function readOggChapters(
  readBytes: ReadBytes,
  maxBytes: number,
): Promise<RawFileChapter[]> {
  const packet = await readSecondPacket(readBytes, maxBytes);
  for (const start of [opusTags, vorbisTags]) {
    if (packet.subarray(0, start.length).equals(start)) {
      return readComments(packet.subarray(start.length));
    }
  }
  return [];
}

/** What there is of it within `maxBytes`. */
async function readSecondPacket(readBytes: ReadBytes, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let packets = 0;
  let serial: number | undefined;
  let window = Buffer.alloc(0);
  let at = 0;
  while (at < maxBytes) {
    if (window.length < pageHeadBytes + 255 + 255 * 255) {
      const more = await readBytes(at + window.length, pieceBytes);
      window = Buffer.concat([window, more]);
    }
    const sizes = readPage(window);
    if (sizes === undefined) break;
    const headBytes = pageHeadBytes + sizes.length;
    const pageBytes = headBytes + sizes.reduce((sum, size) => sum + size, 0);
    serial ??= window.readUInt32LE(14);
    // Pages of other streams may be in between.
    if (window.readUInt32LE(14) === serial) {
      let from = headBytes;
      for (const size of sizes) {
        if (packets === 1) parts.push(Buffer.from(window.subarray(from, from + size)));
        from += size;
        // A packet ends with a piece that is not full.
        if (size < 255) packets += 1;
        if (packets === 2) return Buffer.concat(parts);
      }
    }
    at += pageBytes;
    window = window.subarray(pageBytes);
  }
  return Buffer.concat(parts);
}

/** The sizes of its pieces; undefined if no whole page begins here. */
function readPage(bytes: Buffer): Buffer | undefined {
  if (bytes.length < pageHeadBytes || bytes.toString('latin1', 0, 4) !== 'OggS') return undefined;
  const count = bytes[26] ?? 0;
  const sizes = bytes.subarray(pageHeadBytes, pageHeadBytes + count);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return bytes.length < pageHeadBytes + count + total ? undefined : sizes;
}

const flacComments = 4;
const maxFlacBlocks = 1000;

/** Chapters in the block of comments of FLAC. */
export async function readFlacChapters(
  readBytes: ReadBytes,
  maxBytes: number,
): Promise<RawFileChapter[]> {
  if ((await readBytes(0, 4)).toString('latin1') !== 'fLaC') return [];
  let at = 4;
  for (let block = 0; block < maxFlacBlocks && at < maxBytes; block += 1) {
    const head = await readBytes(at, 4);
    if (head.length < 4) return [];
    const kind = head.readUInt8(0);
    const length = head.readUIntBE(1, 3);
    if ((kind & 0x7f) === flacComments) return readComments(await readBytes(at + 4, length));
    if ((kind & 0x80) !== 0) return [];
    at += 4 + length;
  }
  return [];
}

/** A chapter has at most three comments: its time, name and address. Others are skipped. */
const maxChapterComments = 3 * maxFileChapters;
const maxComments = 10_000;
const maxCommentBytes = 4096;
const chapterName = /^CHAPTER\d/i;

/** A list of comments, each `NAME=value` in UTF-8 after its length. Pictures are skipped. */
function readComments(list: Buffer): RawFileChapter[] {
  const comments: [string, string][] = [];
  if (list.length < 8) return [];
  let at = 4 + list.readUInt32LE(0) + 4;
  for (let count = 0; count < maxComments && at + 4 <= list.length; count += 1) {
    if (comments.length >= maxChapterComments) break;
    const length = list.readUInt32LE(at);
    const body = list.subarray(at + 4, at + 4 + Math.min(length, maxCommentBytes));
    at += 4 + length;
    if (!chapterName.test(body.toString('latin1', 0, 8))) continue;
    const text = body.toString('utf8');
    const equals = text.indexOf('=');
    if (equals > 0) comments.push([text.slice(0, equals), text.slice(equals + 1)]);
  }
  return readChapterComments(comments);
}
