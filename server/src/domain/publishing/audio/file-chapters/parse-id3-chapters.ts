import { maxFileChapters, type RawFileChapter } from './file-chapter.ts';
import { readText, readUserAddress } from './id3-text.ts';

const maxContents = 100;
/** The start and end time, and the start and end offset. */
const timesBytes = 16;

/**
 * The chapters of an ID3v2 tag (CHAP and CTOC, by "ID3v2 Chapter Frame Addendum"), from its first
 * bytes. If there is a table of contents, chapters that it does not name are marked as hidden.
 * Takes linear time, never throws.
 */
export function parseId3Chapters(tag: Buffer): RawFileChapter[] {
  const version = tag[3] === 3 ? 3 : 4;
  const budget = createFrameBudget();
  const frames = readId3Frames(tag, budget);
  const listed = listedChapters(frames);
  return frames
    .filter(({ id }) => id === 'CHAP')
    .slice(0, maxFileChapters)
    .flatMap(({ body }) => readChapter(body, version, listed, budget));
}

/** The chapters that tables of contents name; undefined without a table. */
function listedChapters(frames: readonly Id3Frame[]): Set<string> | undefined {
  const contents = frames.filter(({ id }) => id === 'CTOC').slice(0, maxContents);
  if (contents.length === 0) return undefined;
  const names = new Set<string>();
  for (const { body } of contents) {
    const flagsAt = body.indexOf(0) + 1;
    const count = body[flagsAt + 1] ?? 0;
    let at = flagsAt + 2;
    for (let entry = 0; entry < count; entry += 1) {
      const end = body.indexOf(0, at);
      if (end < 0) break;
      names.add(body.toString('latin1', at, end));
      at = end + 1;
    }
  }
  return names;
}

function readChapter(
  body: Buffer,
  version: 3 | 4,
  listed: ReadonlySet<string> | undefined,
  budget: FrameBudget,
): RawFileChapter[] {
  const nameEnd = body.indexOf(0);
  const timesAt = nameEnd + 1;
  if (nameEnd < 0 || timesAt + timesBytes > body.length) return [];
  const parts = readFramesOfTag(body.subarray(timesAt + timesBytes), version, budget);
  const title = parts.find(({ id }) => id === 'TIT2');
  const address = parts.find(({ id }) => id === 'WXXX');
  return [
    {
      startMs: body.readUInt32BE(timesAt),
      endMs: body.readUInt32BE(timesAt + 4),
      title: title && readText(title.body),
      linkUrl: address && readUserAddress(address.body),
      hasImage: parts.some(({ id }) => id === 'APIC'),
      hidden: listed !== undefined && !listed.has(body.toString('latin1', 0, nameEnd)),
    },
  ];
}

/** One frame of an ID3v2 tag. */
interface Id3Frame {
  readonly id: string;
  readonly body: Buffer;
}

const unsynchronized = 0x80;
const hasExtendedHeader = 0x40;
const frameHeadBytes = 10;
/** A limit, so that many empty frames do not take long. */
const maxFramesOfTag = 10_000;

/** How many more frames of a tag are read, those within frames included. */
interface FrameBudget {
  left: number;
}

function createFrameBudget(): FrameBudget {
  return { left: maxFramesOfTag };
}

/** Bits in the second byte of a frame's flags, version 2.4. */
const frameUnsynchronized = 0x02;
const frameHasLength = 0x01;
const compressedOrEncrypted = { 3: 0xc0, 4: 0x0c } as const;

/**
 * The frames of an ID3v2.3 or 2.4 tag, from its first bytes. Empty for other versions, which have
 * no chapters. If the tag is cut off or damaged, the frames before that. Takes linear time.
 */
function readId3Frames(tag: Buffer, budget: FrameBudget): Id3Frame[] {
  const version = tag[3];
  const flags = tag[5] ?? 0;
  if (tag.length < frameHeadBytes || (version !== 3 && version !== 4)) return [];
  const isWhole = version === 3 && (flags & unsynchronized) !== 0;
  const raw = tag.subarray(frameHeadBytes);
  const body = isWhole ? resynchronize(raw) : raw;
  const start = (flags & hasExtendedHeader) === 0 ? 0 : extendedHeaderBytes(body, version);
  return readFramesOfTag(body.subarray(start), version, budget);
}

/** The frames in these bytes, which are those of a tag or of a CHAP frame. */
function readFramesOfTag(bytes: Buffer, version: 3 | 4, budget: FrameBudget): Id3Frame[] {
  const frames: Id3Frame[] = [];
  for (let at = 0; at + frameHeadBytes <= bytes.length && budget.left > 0; budget.left -= 1) {
    const id = bytes.toString('latin1', at, at + 4);
    if (!/^[A-Z][A-Z0-9]{3}$/.test(id)) break;
    const size = frameSize(bytes, at, version);
    const from = at + frameHeadBytes;
    if (from + size > bytes.length) break;
    const body = plainBody(bytes.subarray(from, from + size), bytes[at + 9] ?? 0, version);
    if (body !== undefined) frames.push({ id, body });
    at = from + size;
  }
  return frames;
}

function frameSize(bytes: Buffer, at: number, version: 3 | 4): number {
  const plain = bytes.readUInt32BE(at + 4);
  if (version === 3) return plain;
  const safe = syncSafe(bytes, at + 4);
  // Some programs write 2.4 with the sizes of 2.3: then only that size leads to the next frame.
  if (safe === undefined) return plain;
  return safe !== plain && beginsFrame(bytes, at + plain) && !beginsFrame(bytes, at + safe)
    ? plain
    : safe;
}

function beginsFrame(bytes: Buffer, at: number): boolean {
  const next = bytes.toString('latin1', at + frameHeadBytes, at + frameHeadBytes + 4);
  return next === '' || /^(?:[A-Z][A-Z0-9]{3}|\0{1,4})$/.test(next);
}

/** Undefined if the frame cannot be read. */
function plainBody(body: Buffer, flags: number, version: 3 | 4): Buffer | undefined {
  if ((flags & compressedOrEncrypted[version]) !== 0) return undefined;
  if (version === 3) return body;
  const given = (flags & frameHasLength) === 0 ? body : body.subarray(4);
  return (flags & frameUnsynchronized) === 0 ? given : resynchronize(given);
}

function extendedHeaderBytes(body: Buffer, version: 3 | 4): number {
  if (body.length < 4) return body.length;
  return version === 3 ? 4 + body.readUInt32BE(0) : (syncSafe(body, 0) ?? body.length);
}

/** A number of seven bits in each byte; undefined if a byte has its eighth bit set. */
function syncSafe(bytes: Buffer, at: number): number | undefined {
  const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(at, at + 4);
  return (a | b | c | d) > 0x7f ? undefined : (a << 21) | (b << 14) | (c << 7) | d;
}

/** Removes the zero that was inserted after each 0xff. */
function resynchronize(bytes: Buffer): Buffer {
  const plain = Buffer.alloc(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    plain[length] = bytes[at] as number;
    length += 1;
    if (bytes[at] === 0xff && bytes[at + 1] === 0) at += 1;
  }
  return plain.subarray(0, length);
}
