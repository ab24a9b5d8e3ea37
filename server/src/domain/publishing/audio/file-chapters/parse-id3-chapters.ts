import { maxFileChapters, type RawFileChapter } from './file-chapter.ts';
import {
  createFrameBudget,
  type FrameBudget,
  type Id3Frame,
  readFramesOfTag,
  readId3Frames,
} from './id3-frames.ts';
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
