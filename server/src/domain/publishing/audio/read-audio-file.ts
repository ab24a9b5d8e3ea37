import { type FileHandle, open } from 'node:fs/promises';
import { AudioError, type AudioFacts, type AudioShape, factsOfShape } from './audio-facts.ts';
import { adtsFormat, isFreeFormat, mpegFormat } from './audio-formats/mpeg-header.ts';
import { readFlac } from './audio-formats/read-flac.ts';
import { readMp4 } from './audio-formats/read-mp4.ts';
import { readAt, readThrough } from './audio-formats/read-through.ts';
import { readWav } from './audio-formats/read-wav.ts';
import { id3v2BytesAt, trailingTagBytes } from './audio-formats/tags.ts';
import { type FrameFormat, walkFrames } from './audio-formats/walk-frames.ts';
import { walkOgg } from './audio-formats/walk-ogg.ts';

/**
 * Reads what the file at `path` is, from its content alone: names and declared types may be wrong.
 * Reads it once from end to end, in bounded memory; other tasks run after every half megabyte.
 * Throws AudioError if it is not playable audio, and errors of opening the file.
 */
export async function readAudioFile(path: string): Promise<AudioFacts> {
  await using file = await open(path, 'r');
  const sizeBytes = (await file.stat()).size;
  if (sizeBytes === 0) throw new AudioError('empty', 'The file is empty.');
  const start = await skipLeadingTags(file, sizeBytes);
  const head = await readAt(file, start, headBytes);
  const byShape = structuredReaders.find(({ isMine }) => isMine(head));
  if (byShape !== undefined) {
    const shape = await byShape.read(file, sizeBytes, start);
    return factsOfShape(shape, sizeBytes, await readThrough(file));
  }
  refuseNamedFormats(head);
  const { shape, sha256 } = head.subarray(0, 4).equals(oggMark)
    ? await readOgg(file, sizeBytes, start)
    : await readFrames(file, sizeBytes, start, head);
  return factsOfShape(shape, sizeBytes, sha256);
}

// Enough for three ADTS frames in a row.
const headBytes = 32 * 1024;
const oggMark = Buffer.from('OggS');
const maxTags = 1000;

interface StructuredReader {
  isMine(head: Buffer): boolean;
  read(file: FileHandle, sizeBytes: number, start: number): Promise<AudioShape>;
}

/** Formats whose heads tell where everything is. */
const structuredReaders: readonly StructuredReader[] = [
  { isMine: (head) => wordAt(head, 0) === 'fLaC', read: readFlac },
  { isMine: (head) => wordAt(head, 0) === 'RIFF' && wordAt(head, 8) === 'WAVE', read: readWav },
  { isMine: (head) => wordAt(head, 4) === 'ftyp', read: readMp4 },
];

/** Formats that no podcast app plays, by the first bytes of a file. */
const namedFormats: readonly (readonly [name: string, isIt: (head: Buffer) => boolean])[] = [
  ['an AIFF file', (head) => wordAt(head, 0) === 'FORM' && /^AIF[FC]$/.test(wordAt(head, 8))],
  ['a WAV file of more than 4 GB (RF64)', (head) => /^(?:RF64|BW64)$/.test(wordAt(head, 0))],
  ['a Matroska or WebM file', (head) => head.readUInt32BE(0) === 0x1a45dfa3],
];

function refuseNamedFormats(head: Buffer): void {
  if (head.length < 12) return;
  const name = namedFormats.find(([, isIt]) => isIt(head))?.[0];
  if (name === undefined) return;
  const message = `This is ${name}, which podcast apps do not play. Convert it to MP3 or M4A.`;
  throw new AudioError('unsupported', message);
}

function wordAt(bytes: Buffer, at: number): string {
  return bytes.toString('latin1', at, at + 4);
}

/** The position behind all ID3v2 tags at the file's beginning. */
async function skipLeadingTags(file: FileHandle, sizeBytes: number): Promise<number> {
  let at = 0;
  for (let tags = 0; tags < maxTags; tags += 1) {
    const length = id3v2BytesAt(await readAt(file, at, 10), 0);
    if (length === 0) break;
    at += length;
  }
  if (at >= sizeBytes) throw new AudioError('damaged', 'The file ends before its audio begins.');
  return at;
}

interface Read {
  readonly shape: AudioShape;
  readonly sha256: string;
}

async function readOgg(file: FileHandle, sizeBytes: number, start: number): Promise<Read> {
  const steps = walkOgg();
  const sha256 = await readThrough(file, { steps, from: start, to: sizeBytes });
  return { shape: steps.result(start), sha256 };
}

/** MP3 or ADTS: streams of frames without a head that states their number. */
async function readFrames(
  file: FileHandle,
  sizeBytes: number,
  start: number,
  head: Buffer,
): Promise<Read> {
  const isAdts = beginsWithTwo(adtsFormat, head);
  if (!isAdts && isFreeFormat(head, 0) && mpegFormat.frameBytes(head, 0) === 0) {
    throw new AudioError('unsupported', 'Podcast players do not play "free format" MP3.');
  }
  const end = await skipTrailingTags(file, start, sizeBytes);
  const steps = walkFrames(isAdts ? adtsFormat : mpegFormat);
  const sha256 = await readThrough(file, { steps, from: start, to: end });
  const count = steps.result();
  if (count.frames === 0) {
    throw new AudioError('not_audio', 'No audio was recognized in the file.');
  }
  if (count.junkBytes > count.audioBytes) {
    throw new AudioError('damaged', 'Most of the file is not audio.');
  }
  const type = isAdts
    ? ({ contentType: 'audio/aac', extension: 'aac' } as const)
    : ({ contentType: 'audio/mpeg', extension: 'mp3' } as const);
  const { durationSeconds, audioBytes, firstFrameAt } = count;
  const leadingTagBytes = start + firstFrameAt;
  return { shape: { ...type, durationSeconds, audioBytes, leadingTagBytes }, sha256 };
}

function beginsWithTwo(format: FrameFormat, head: Buffer): boolean {
  const length = format.frameBytes(head, 0);
  return length > 0 && (length === head.length || format.frameBytes(head, length) > 0);
}

async function skipTrailingTags(file: FileHandle, start: number, size: number): Promise<number> {
  let end = size;
  for (let tags = 0; tags < maxTags; tags += 1) {
    const from = Math.max(start, end - 128);
    const length = trailingTagBytes(await readAt(file, from, end - from));
    // A tag that claims to begin before the audio is none.
    if (length === 0 || end - length <= start) break;
    end -= length;
  }
  return end;
}
