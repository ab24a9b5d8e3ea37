import type { Segment } from '../../../domain/transcripts/index.ts';

export interface Paragraph {
  readonly startMs: number;
  /** '' where it is the one before, or nobody. */
  readonly speaker: string;
  readonly text: string;
}

const wantedChars = 400;
const longestChars = 1200;
const sentenceEnd = /[.!?…。！？؟]["'”’»)\]]*$/;

/**
 * Segments, which follow a caption's rhythm, as paragraphs to read: a new one for another speaker,
 * and behind a sentence once there is enough of it. No more than `maxChars` of text altogether.
 */
export function toParagraphs(
  segments: readonly Segment[],
  maxChars: number,
): { paragraphs: Paragraph[]; isCut: boolean } {
  const paragraphs: Paragraph[] = [];
  let left = maxChars;
  let speaker: string | undefined;
  let parts: string[] = [];
  let startMs = 0;
  let length = 0;
  let spoken = '';
  const finish = () => {
    if (parts.length > 0) paragraphs.push({ startMs, speaker: spoken, text: parts.join(' ') });
    parts = [];
    length = 0;
  };
  for (const segment of segments) {
    left -= segment.text.length;
    if (left < 0) break;
    if (segment.speaker !== speaker || isFull(length, parts.at(-1))) finish();
    if (parts.length === 0) {
      startMs = segment.startMs;
      spoken = segment.speaker === speaker ? '' : segment.speaker;
      speaker = segment.speaker;
    }
    parts.push(segment.text);
    length += segment.text.length + 1;
  }
  finish();
  return { paragraphs, isCut: left < 0 };
}

function isFull(length: number, last: string | undefined): boolean {
  return length > longestChars || (length > wantedChars && sentenceEnd.test(last ?? ''));
}
