import { type Box, type BoxReader, boxReader, type ReadBytes } from '../audio-formats/mp4-boxes.ts';
import { maxFileChapters, type RawFileChapter } from './file-chapter.ts';
import { decodeUtf16 } from './id3-text.ts';

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

const maxTracks = 20;
/** By its format a title has at most 64 kB; a longer one is damage. */
const maxTitleBytes = 2048;

/**
 * QuickTime's chapters: the sound's track refers (`tref/chap`) to a track of texts, each shown from
 * its start on. A track of pictures beside it is ignored.
 */
async function readChapterTrack(
  reader: BoxReader,
  movie: readonly Box[],
): Promise<RawFileChapter[]> {
  const tracks = await readTracks(reader, movie);
  const named = new Set(tracks.flatMap(({ chapterTracks }) => chapterTracks));
  const track = tracks.find(({ id, handler }) => named.has(id) && isText(handler));
  if (track === undefined || track.timescale === 0) return [];
  const samples = await readSamplePlaces(reader, track.tables, maxFileChapters);
  const times = await readSampleTimes(reader, track.tables, samples.length);
  const hasImages = tracks.some(({ id, handler }) => named.has(id) && handler === 'vide');
  const chapters: RawFileChapter[] = [];
  for (const [index, { at, bytes }] of samples.entries()) {
    const title = readTitle(await reader.readAt(at, Math.min(bytes, maxTitleBytes)));
    const startMs = ((times[index] ?? 0) / track.timescale) * 1000;
    chapters.push({ startMs, title, ...(hasImages && { hasImage: true }) });
  }
  return chapters;
}

interface Track {
  readonly id: number;
  readonly handler: string;
  readonly timescale: number;
  readonly chapterTracks: readonly number[];
  /** The boxes of `stbl`. */
  readonly tables: readonly Box[];
}

function isText(handler: string): boolean {
  return handler === 'text' || handler === 'sbtl';
}

async function readTracks(reader: BoxReader, movie: readonly Box[]): Promise<Track[]> {
  const tracks: Track[] = [];
  for (const box of movie.filter(({ name }) => name === 'trak').slice(0, maxTracks)) {
    const parts = await reader.children(box);
    const media = await childrenOf(reader, parts, 'mdia');
    const information = await childrenOf(reader, media, 'minf');
    const head = await bodyOf(reader, parts, 'tkhd', 24);
    const mediaHead = await bodyOf(reader, media, 'mdhd', 24);
    const handler = await bodyOf(reader, media, 'hdlr', 12);
    const references = await childrenOf(reader, parts, 'tref');
    tracks.push({
      id: wordAt(head, head[0] === 1 ? 20 : 12),
      handler: handler.toString('latin1', 8, 12),
      timescale: wordAt(mediaHead, mediaHead[0] === 1 ? 20 : 12),
      chapterTracks: listWords(await bodyOf(reader, references, 'chap', 4 * maxTracks)),
      tables: await childrenOf(reader, information, 'stbl'),
    });
  }
  return tracks;
}

async function childrenOf(
  reader: BoxReader,
  boxes: readonly Box[],
  name: string,
): Promise<readonly Box[]> {
  const box = boxes.find((candidate) => candidate.name === name);
  return box === undefined ? [] : await reader.children(box);
}

async function bodyOf(
  reader: BoxReader,
  boxes: readonly Box[],
  name: string,
  length: number,
): Promise<Buffer> {
  const box = boxes.find((candidate) => candidate.name === name);
  return box === undefined ? Buffer.alloc(0) : await reader.read(box, length);
}

function wordAt(bytes: Buffer, at: number): number {
  return at + 4 <= bytes.length ? bytes.readUInt32BE(at) : 0;
}

function listWords(bytes: Buffer): number[] {
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) =>
    bytes.readUInt32BE(index * 4),
  );
}

/** Two bytes for the length, then UTF-8, or UTF-16 with a byte order mark. */
function readTitle(sample: Buffer): string {
  if (sample.length < 2) return '';
  const text = sample.subarray(2, 2 + sample.readUInt16BE(0));
  const isWide =
    text.length >= 2 && (text.readUInt16BE(0) === 0xfeff || text.readUInt16BE(0) === 0xfffe);
  return isWide ? decodeUtf16(text) : text.toString('utf8');
}

/** The place of a sample of a track in the file. */
interface SamplePlace {
  readonly at: number;
  readonly bytes: number;
}

/** More than the tables of a thousand samples need. */
const maxTableBytes = 64 * 1024;

/** The first samples of a track, by the tables of its `stbl` (ISO 14496-12, 8.7). */
async function readSamplePlaces(
  reader: BoxReader,
  tables: readonly Box[],
  limit: number,
): Promise<SamplePlace[]> {
  const sizes = parseSizes(await tableOf(reader, tables, 'stsz'), limit);
  const runs = parseRows(await tableOf(reader, tables, 'stsc'), 4, 3);
  const wide = await tableOf(reader, tables, 'co64');
  const offsets =
    wide.length > 0
      ? parseWide(wide)
      : parseRows(await tableOf(reader, tables, 'stco'), 4, 1).flat();
  const places: SamplePlace[] = [];
  let run = 0;
  for (const [index, offset] of offsets.entries()) {
    // Chunks are numbered from 1.
    while ((runs[run + 1]?.[0] ?? Number.POSITIVE_INFINITY) <= index + 1) run += 1;
    let at = offset;
    for (let sample = 0; sample < (runs[run]?.[1] ?? 1); sample += 1) {
      const bytes = sizes[places.length];
      if (bytes === undefined) return places;
      places.push({ at, bytes });
      at += bytes;
    }
  }
  return places;
}

/** When each of the first samples begins, in ticks of the track. */
async function readSampleTimes(
  reader: BoxReader,
  tables: readonly Box[],
  count: number,
): Promise<number[]> {
  const times: number[] = [];
  let at = 0;
  for (const [samples = 0, ticks = 0] of parseRows(await tableOf(reader, tables, 'stts'), 4, 2)) {
    for (let sample = 0; sample < samples && times.length < count; sample += 1) {
      times.push(at);
      at += ticks;
    }
  }
  return times;
}

async function tableOf(reader: BoxReader, tables: readonly Box[], name: string): Promise<Buffer> {
  const box = tables.find((table) => table.name === name);
  return box === undefined ? Buffer.alloc(0) : await reader.read(box, maxTableBytes);
}

/** One size for all samples, or one for each. */
function parseSizes(table: Buffer, limit: number): number[] {
  if (table.length < 12) return [];
  const [each, count] = [table.readUInt32BE(4), Math.min(limit, table.readUInt32BE(8))];
  if (each > 0) return Array<number>(count).fill(each);
  return parseRows(table, 8, 1).flat().slice(0, count);
}

/** The rows of a table with that many words each, after a head that ends with their number. */
function parseRows(table: Buffer, countAt: number, words: number): number[][] {
  if (table.length < countAt + 4) return [];
  const there = Math.floor((table.length - countAt - 4) / (4 * words));
  return Array.from({ length: Math.min(there, table.readUInt32BE(countAt)) }, (_, row) =>
    Array.from({ length: words }, (_, word) =>
      table.readUInt32BE(countAt + 4 + (row * words + word) * 4),
    ),
  );
}

function parseWide(table: Buffer): number[] {
  if (table.length < 8) return [];
  const there = Math.floor((table.length - 8) / 8);
  return Array.from({ length: Math.min(there, table.readUInt32BE(4)) }, (_, row) =>
    Number(table.readBigUInt64BE(8 + row * 8)),
  );
}
