import { adtsFormat, mpegFormat } from './audio-formats/mpeg-header.ts';
import type { FrameFormat } from './audio-formats/walk-frames.ts';

const marks: readonly (readonly [string, number])[] = [
  ['ID3', 0],
  ['fLaC', 0],
  ['OggS', 0],
  ['WAVE', 8],
  ['ftyp', 4],
];

/**
 * Whether a file with this beginning may be audio. `readAudioFacts` decides about the whole file.
 * This check refuses other files before all of their bytes are sent.
 */
export function isAudioBeginning(head: Buffer): boolean {
  const isMarked = marks.some(
    ([mark, at]) => head.toString('latin1', at, at + mark.length) === mark,
  );
  if (isMarked) return true;
  return [mpegFormat, adtsFormat].some((format) => hasTwoFrames(format, head));
}

/** Several frames in a row, because single headers occur in any file. */
function hasTwoFrames(format: FrameFormat, head: Buffer): boolean {
  for (let at = 0; at < head.length; at += 1) {
    const length = format.frameBytes(head, at);
    if (length > 0 && format.frameBytes(head, at + length) > 0) return true;
  }
  return false;
}
