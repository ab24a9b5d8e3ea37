import { AudioError } from '../audio-facts.ts';
import type { Box, BoxReader } from './mp4-boxes.ts';

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
export async function fragmentsSeconds(
  reader: BoxReader,
  movie: Box,
  top: readonly Box[],
  track: { readonly id: number; readonly timescale: number },
): Promise<number> {
  if (!top.some((box) => box.name === 'moof')) return 0;
  if (track.timescale === 0) throw new AudioError('damaged', 'The MP4 file tells no length.');
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
