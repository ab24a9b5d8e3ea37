import type { FileHandle } from 'node:fs/promises';
import { AudioError, type AudioShape } from '../audio-facts.ts';
import { readAt } from './read-through.ts';

const maxChunks = 1000;
const pcm = 1;
const float = 3;
const extensible = 0xfffe;

/** RIFF/WAVE with plain samples. A recorder that was cut off leaves a size of 0 or 2³²−1. */
export async function readWav(file: FileHandle, sizeBytes: number): Promise<AudioShape> {
  let bytesPerSecond = 0;
  let at = 12;
  for (let chunks = 0; chunks < maxChunks && at + 8 <= sizeBytes; chunks += 1) {
    const header = await readAt(file, at, 24);
    const name = header.toString('latin1', 0, 4);
    const size = header.readUInt32LE(4);
    if (name === 'fmt ') bytesPerSecond = readFormat(header);
    if (name === 'data') {
      const rest = sizeBytes - at - 8;
      const audioBytes = size === 0 || size === 0xffff_ffff ? rest : size;
      return wavShape(audioBytes, rest, bytesPerSecond, at + 8);
    }
    // Chunks are padded to even lengths.
    at += 8 + size + (size % 2);
  }
  throw new AudioError('damaged', 'The WAV file ends before its audio begins.');
}

function readFormat(chunk: Buffer): number {
  if (chunk.length < 24) throw new AudioError('damaged', 'The WAV file has no format information.');
  const coding = chunk.readUInt16LE(8);
  if (coding !== pcm && coding !== float && coding !== extensible) {
    throw new AudioError(
      'unsupported',
      'The WAV file contains something other than uncompressed samples.',
    );
  }
  return chunk.readUInt32LE(16);
}

function wavShape(
  audioBytes: number,
  rest: number,
  bytesPerSecond: number,
  leadingTagBytes: number,
): AudioShape {
  if (audioBytes > rest) throw new AudioError('damaged', 'The WAV file is cut off.');
  if (bytesPerSecond === 0) {
    throw new AudioError('damaged', 'The WAV file has no format information.');
  }
  const durationSeconds = audioBytes / bytesPerSecond;
  return {
    contentType: 'audio/wav',
    extension: 'wav',
    durationSeconds,
    audioBytes,
    leadingTagBytes,
  };
}
