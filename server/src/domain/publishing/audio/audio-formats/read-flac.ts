import type { FileHandle } from 'node:fs/promises';
import { AudioError, type AudioShape } from '../audio-facts.ts';
import { readAt } from './read-through.ts';

const maxBlocks = 1000;
const streamInfoBytes = 34;

/** FLAC whose `fLaC` mark is at `start`; the metadata blocks before the frames are not audio. */
export async function readFlac(
  file: FileHandle,
  sizeBytes: number,
  start: number,
): Promise<AudioShape> {
  const durationSeconds = await readLength(file, start + 4);
  let at = start + 4;
  for (let blocks = 0; blocks < maxBlocks; blocks += 1) {
    const header = await readAt(file, at, 4);
    if (header.length < 4) break;
    at += 4 + header.readUIntBE(1, 3);
    const isLast = ((header[0] ?? 0) & 0x80) !== 0;
    if (isLast && at < sizeBytes) {
      const audioBytes = sizeBytes - at;
      return {
        contentType: 'audio/flac',
        extension: 'flac',
        durationSeconds,
        audioBytes,
        leadingTagBytes: at,
      };
    }
  }
  throw new AudioError('damaged', 'The FLAC file ends before its audio begins.');
}

/** From STREAMINFO, always the first block: 20 bits of sample rate, 36 bits of samples. */
async function readLength(file: FileHandle, at: number): Promise<number> {
  const block = await readAt(file, at, 4 + streamInfoBytes);
  const isStreamInfo = block.length === 4 + streamInfoBytes && ((block[0] ?? 0) & 0x7f) === 0;
  if (!isStreamInfo) throw new AudioError('damaged', 'The FLAC file has no stream information.');
  const sampleRate = block.readUIntBE(14, 3) >> 4;
  const samples = ((block[17] ?? 0) & 15) * 2 ** 32 + block.readUInt32BE(18);
  if (sampleRate === 0 || samples === 0) {
    throw new AudioError('damaged', 'The FLAC file does not state its length. Save it again.');
  }
  return samples / sampleRate;
}
