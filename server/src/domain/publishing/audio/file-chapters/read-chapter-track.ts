import type { Box, BoxReader } from '../audio-formats/mp4-boxes.ts';
import { maxFileChapters, type RawFileChapter } from './file-chapter.ts';
import { decodeUtf16 } from './id3-text.ts';
import { readSamplePlaces, readSampleTimes } from './sample-tables.ts';

const maxTracks = 20;
/** By its format a title has at most 64 kB; a longer one is damage. */
const maxTitleBytes = 2048;

/**
 * QuickTime's chapters: the sound's track refers (`tref/chap`) to a track of texts, each shown from
 * its start on. A track of pictures beside it is ignored.
 */
export async function readChapterTrack(
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
