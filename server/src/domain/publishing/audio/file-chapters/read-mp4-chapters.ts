import { type Box, type BoxReader, boxReader, type ReadBytes } from '../audio-formats/mp4-boxes.ts';
import { maxFileChapters, type RawFileChapter } from './file-chapter.ts';
import { readChapterTrack } from './read-chapter-track.ts';

/** The most reads of a file, because each may be a request to a remote store. */
const maxBoxes = 2000;
const maxListBytes = 512 * 1024;
/** The times of Nero's list are in units of 100 ns. */
const unitsPerMs = 10_000n;

/**
 * The chapters of an MP4 file: Nero's list (`moov/udta/chpl`), or else QuickTime's track of
 * chapters. Empty without either. Throws AudioError for a damaged file.
 */
export async function readMp4Chapters(
  readBytes: ReadBytes,
  sizeBytes: number,
): Promise<RawFileChapter[]> {
  const reader = boxReader(readBytes, maxBoxes);
  const movie = (await reader.list(0, sizeBytes)).find(({ name }) => name === 'moov');
  if (movie === undefined) return [];
  const parts = await reader.children(movie);
  const listed = await readList(reader, parts);
  return listed.length > 0 ? listed : await readChapterTrack(reader, parts);
}

async function readList(reader: BoxReader, movie: readonly Box[]): Promise<RawFileChapter[]> {
  const data = movie.find(({ name }) => name === 'udta');
  if (data === undefined) return [];
  const list = (await reader.children(data)).find(({ name }) => name === 'chpl');
  return list === undefined ? [] : parseList(await reader.read(list, maxListBytes));
}

/** Version and flags, in version 1 four bytes that are reserved, the count, then the chapters. */
function parseList(list: Buffer): RawFileChapter[] {
  const chapters: RawFileChapter[] = [];
  let at = list[0] === 1 ? 9 : 5;
  while (at + 9 <= list.length && chapters.length < maxFileChapters) {
    const startMs = Number(list.readBigUInt64BE(at) / unitsPerMs);
    const length = list[at + 8] as number;
    chapters.push({ startMs, title: list.toString('utf8', at + 9, at + 9 + length) });
    at += 9 + length;
  }
  return chapters;
}
