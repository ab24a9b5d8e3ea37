import type { Segment } from '../../../domain/publishing/transcripts/index.ts';

export interface Paragraph {
  readonly startMs: number;
  /** Empty if unknown or the same as before. */
  readonly speaker: string;
  readonly text: string;
}

const wantedChars = 400;
const longestChars = 1200;
const sentenceEnd = /[.!?…。！？؟]["'”’»)\]]*$/;

export interface ParagraphLimits {
  /** The length of all text together. */
  readonly maxChars: number;
  readonly maxParagraphs: number;
}

/**
 * Joins caption segments into paragraphs: a new one for each speaker, and after a sentence once a
 * paragraph is long enough. Stops at the first of the limits.
 */
export function toParagraphs(
  segments: readonly Segment[],
  { maxChars, maxParagraphs }: ParagraphLimits,
): { paragraphs: Paragraph[]; isCut: boolean } {
  const paragraphs: Paragraph[] = [];
  let left = maxChars;
  let isCut = false;
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
    if (segment.speaker !== speaker || isFull(length, parts.at(-1))) finish();
    isCut = left < 0 || paragraphs.length === maxParagraphs;
    if (isCut) break;
    if (parts.length === 0) {
      startMs = segment.startMs;
      spoken = segment.speaker === speaker ? '' : segment.speaker;
      speaker = segment.speaker;
    }
    parts.push(segment.text);
    length += segment.text.length + 1;
  }
  finish();
  return { paragraphs, isCut };
}

function isFull(length: number, last: string | undefined): boolean {
  return length > longestChars || (length > wantedChars && sentenceEnd.test(last ?? ''));
}
