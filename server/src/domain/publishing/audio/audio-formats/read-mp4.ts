import type { FileHandle } from 'node:fs/promises';
import { AudioError, type AudioShape } from '../audio-facts.ts';
import { type Box, type BoxReader, boxReader } from './mp4-boxes.ts';
import { readAt } from './read-through.ts';

/** The fields of a track that are needed here. */
interface Mp4Track {
  readonly id: number;
  readonly handler: string;
  /** Four letters of its first sample description: `mp4a`, `avc1`, `jpeg`, … */
  readonly codec: string;
  /** Ticks a second. */
  readonly timescale: number;
  readonly seconds: number;
}

// Chapter pictures are a video track of stills, which does not make an audio book a film.
const stillCodecs = new Set(['jpeg', 'png ', 'mjpa', 'mjpb']);

// Brands of pictures in the same format of boxes: HEIF and AVIF.
const stillBrands = new Set(['heic', 'heix', 'heim', 'heis', 'mif1', 'msf1', 'avif', 'avis']);

/** MP4 and M4A, in one piece or in fragments; a track of moving pictures makes it video/mp4. */
export async function readMp4(file: FileHandle, sizeBytes: number): Promise<AudioShape> {
  const reader = boxReader((at, length) => readAt(file, at, length));
  const top = await reader.list(0, sizeBytes);
  const brand = await readBrand(reader, top);
  if (brand === 'qt  ') {
    throw new AudioError('unsupported', 'Podcast players do not play QuickTime movies.');
  }
  if (stillBrands.has(brand)) throw new AudioError('not_audio', 'The file is an image.');
  const movie = top.find((box) => box.name === 'moov');
  const media = top.filter((box) => box.name === 'mdat');
  const [firstMedia] = media;
  if (movie === undefined || firstMedia === undefined) {
    throw new AudioError('damaged', 'The MP4 file is cut off: its recording was never finished.');
  }
  const tracks = await readTracks(reader, movie);
  const sound = tracks.find((track) => track.handler === 'soun');
  const film = tracks.find((track) => track.handler === 'vide' && !stillCodecs.has(track.codec));
  const main = sound ?? film;
  if (main === undefined) throw new AudioError('not_audio', 'The MP4 file has no audio.');
  if (main.codec.startsWith('enc') || main.codec === 'drms') {
    throw new AudioError('unsupported', 'The MP4 file is copy-protected.');
  }
  const isVideo = film !== undefined && !brand.startsWith('M4A') && !brand.startsWith('M4B');
  // With fragments, the head states no length, the whole, or only that of its own samples.
  const durationSeconds = Math.max(main.seconds, await fragmentsSeconds(reader, movie, top, main));
  return {
    contentType: isVideo ? 'video/mp4' : 'audio/mp4',
    extension: isVideo ? 'mp4' : 'm4a',
    durationSeconds,
    audioBytes: media.reduce((sum, box) => sum + box.end - box.bodyAt, 0),
    leadingTagBytes: firstMedia.bodyAt,
  };
}

async function readBrand(reader: BoxReader, top: readonly Box[]): Promise<string> {
  const type = top.find((box) => box.name === 'ftyp');
  return type === undefined ? '' : (await reader.read(type, 4)).toString('latin1');
}

const maxTracks = 100;

async function readTracks(reader: BoxReader, movie: Box): Promise<Mp4Track[]> {
  const boxes = (await reader.children(movie)).filter((box) => box.name === 'trak');
  const tracks: Mp4Track[] = [];
  for (const box of boxes.slice(0, maxTracks)) {
    const track = await tryReadTrack(reader, box);
    if (track !== undefined) tracks.push(track);
  }
  return tracks;
}

async function tryReadTrack(reader: BoxReader, box: Box): Promise<Mp4Track | undefined> {
  const parts = await reader.children(box);
  const head = parts.find((part) => part.name === 'tkhd');
  const media = parts.find((part) => part.name === 'mdia');
  if (head === undefined || media === undefined) return undefined;
  const inside = await reader.children(media);
  const mediaHead = inside.find((part) => part.name === 'mdhd');
  const handler = inside.find((part) => part.name === 'hdlr');
  if (mediaHead === undefined || handler === undefined) return undefined;
  const headBytes = await reader.read(head, 24);
  const idAt = headBytes[0] === 1 ? 20 : 12;
  if (headBytes.length < idAt + 4) return undefined;
  const { timescale, seconds } = parseDuration(await reader.read(mediaHead, 32));
  return {
    id: headBytes.readUInt32BE(idAt),
    handler: (await reader.read(handler, 12)).toString('latin1', 8, 12),
    codec: await readCodec(reader, inside),
    timescale,
    seconds,
  };
}

async function readCodec(reader: BoxReader, media: readonly Box[]): Promise<string> {
  let boxes = media;
  for (const name of ['minf', 'stbl']) {
    const box = boxes.find((candidate) => candidate.name === name);
    boxes = box === undefined ? [] : await reader.children(box);
  }
  const descriptions = boxes.find((candidate) => candidate.name === 'stsd');
  return descriptions === undefined
    ? ''
    : (await reader.read(descriptions, 16)).toString('latin1', 12, 16);
}

/** The time fields that `mdhd` and `mvhd` share; a duration of all ones means "not known". */
function parseDuration(body: Buffer): { timescale: number; seconds: number } {
  const isLong = body[0] === 1;
  const timescaleAt = isLong ? 20 : 12;
  const end = isLong ? timescaleAt + 12 : timescaleAt + 8;
  if (body.length < end) return { timescale: 0, seconds: 0 };
  const timescale = body.readUInt32BE(timescaleAt);
  const ticks = isLong
    ? Number(body.readBigUInt64BE(timescaleAt + 4))
    : body.readUInt32BE(timescaleAt + 4);
  const unknown = isLong ? ticks >= 2 ** 63 : ticks === 0xffff_ffff;
  return { timescale, seconds: timescale === 0 || unknown ? 0 : ticks / timescale };
}

// Flags of `tfhd` and `trun` (ISO 14496-12, 8.8.7 and 8.8.8), in the order of their fields.
const baseDataOffset = 0x01;
const descriptionIndex = 0x02;
const defaultDuration = 0x08;
const dataOffset = 0x01;
const firstSampleFlags = 0x04;
const sampleDuration = 0x100;
const sampleSize = 0x200;
const sampleFlags = 0x400;
const sampleTimeOffset = 0x800;
const maxRunBytes = 1024 * 1024;

/**
 * The length of the fragments of a film, which is what browsers record: the samples of the track,
 * added up over all `moof` boxes. 0 without fragments; throws AudioError `damaged`.
 */
async function fragmentsSeconds(
  reader: BoxReader,
  movie: Box,
  top: readonly Box[],
  track: { readonly id: number; readonly timescale: number },
): Promise<number> {
  if (!top.some((box) => box.name === 'moof')) return 0;
  if (track.timescale === 0)
    throw new AudioError('damaged', 'The MP4 file does not state its length.');
  const fallback = await readTrackDefault(reader, movie, track.id);
  let ticks = 0;
  for (const fragment of top) {
    if (fragment.name !== 'moof') continue;
    for (const part of await reader.children(fragment)) {
      if (part.name === 'traf') ticks += await trackTicks(reader, part, track.id, fallback);
    }
  }
  return ticks / track.timescale;
}

/** From `mvex/trex`: the duration of a sample if its fragment does not say it. */
async function readTrackDefault(reader: BoxReader, movie: Box, trackId: number): Promise<number> {
  for (const box of await reader.children(movie)) {
    if (box.name !== 'mvex') continue;
    for (const entry of await reader.children(box)) {
      const body = await reader.read(entry, 16);
      const isOurs = entry.name === 'trex' && body.length === 16;
      if (isOurs && body.readUInt32BE(4) === trackId) return body.readUInt32BE(12);
    }
  }
  return 0;
}

async function trackTicks(
  reader: BoxReader,
  fragment: Box,
  trackId: number,
  fallback: number,
): Promise<number> {
  const parts = await reader.children(fragment);
  const head = parts.find((part) => part.name === 'tfhd');
  if (head === undefined) return 0;
  const body = await reader.read(head, 24);
  if (body.length < 8 || body.readUInt32BE(4) !== trackId) return 0;
  const each = parseDefaultDuration(body) ?? fallback;
  let ticks = 0;
  for (const part of parts) {
    if (part.name === 'trun') ticks += runTicks(await reader.read(part, maxRunBytes), each);
  }
  return ticks;
}

function parseDefaultDuration(head: Buffer): number | undefined {
  const flags = head.readUIntBE(1, 3);
  const at =
    8 + ((flags & baseDataOffset) !== 0 ? 8 : 0) + ((flags & descriptionIndex) !== 0 ? 4 : 0);
  return (flags & defaultDuration) !== 0 && at + 4 <= head.length
    ? head.readUInt32BE(at)
    : undefined;
}

function runTicks(run: Buffer, each: number): number {
  if (run.length < 8) return 0;
  const flags = run.readUIntBE(1, 3);
  const samples = run.readUInt32BE(4);
  if ((flags & sampleDuration) === 0) return samples * each;
  const fields = [sampleDuration, sampleSize, sampleFlags, sampleTimeOffset];
  const stride = 4 * fields.filter((field) => (flags & field) !== 0).length;
  const skipped = [dataOffset, firstSampleFlags].filter((field) => (flags & field) !== 0).length;
  const first = 8 + 4 * skipped;
  let ticks = 0;
  for (let sample = 0; sample < samples; sample += 1) {
    const at = first + sample * stride;
    // If a table claims to be longer than its box, only its existing rows count.
    if (at + 4 > run.length) break;
    ticks += run.readUInt32BE(at);
  }
  return ticks;
}
