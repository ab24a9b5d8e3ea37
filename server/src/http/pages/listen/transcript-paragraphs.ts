import { maxSegmentLength, type Segment } from '../../../domain/publishing/transcripts/index.ts';

/** What readers link to: a sentence, or several short ones. */
export interface Sentence {
  readonly startMs: number;
  readonly text: string;
}

export interface Paragraph {
  readonly startMs: number;
  /** Empty if unknown or the same as before. */
  readonly speaker: string;
  /** At least one. */
  readonly sentences: readonly Sentence[];
}

const wantedChars = 400;
const longestChars = 1200;
/** Shorter sentences are joined, so that a page has thousands of them at most. */
const shortestSentenceChars = 60;
const longestSentenceChars = 300;
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
  let said: Segment[] = [];
  let length = 0;
  let spoken = '';
  const finish = () => {
    const [first] = said;
    if (first !== undefined) {
      const sentences = toSentences(said);
      paragraphs.push({ startMs: first.startMs, speaker: spoken, sentences });
    }
    said = [];
    length = 0;
  };
  for (const segment of segments) {
    left -= segment.text.length;
    if (segment.speaker !== speaker || isFull(length, said.at(-1)?.text)) finish();
    isCut = left < 0 || paragraphs.length === maxParagraphs;
    if (isCut) break;
    if (said.length === 0) {
      spoken = segment.speaker === speaker ? '' : segment.speaker;
      speaker = segment.speaker;
    }
    said.push(segment);
    length += segment.text.length + 1;
  }
  finish();
  return { paragraphs, isCut };
}

/** A transcript of up to this length stays whole: some 2 kB, compressed. */
const shortLimits = { maxChars: 4_000, maxParagraphs: 40 };
const beginning = { chars: 2_000, paragraphs: 20 };

/** How much to read for a beginning, whose first paragraph may be longer than everything else. */
export const beginningReadChars = shortLimits.maxChars + longestChars + maxSegmentLength;

export interface Beginning {
  readonly paragraphs: readonly Paragraph[];
  /** When the rest begins. */
  readonly restFromMs: number;
}

/**
 * The first paragraphs of a long transcript; undefined if it is short. The same for all of the segments
 * as for the first `beginningReadChars` of them.
 */
export function findBeginning(segments: readonly Segment[]): Beginning | undefined {
  const { paragraphs, isCut } = toParagraphs(segments, shortLimits);
  if (!isCut) return undefined;
  // The last one may continue.
  const last = paragraphs.at(-1);
  if (last === undefined || last === paragraphs[0]) return findFirst(segments);
  let chars = 0;
  const next = paragraphs.findIndex((paragraph, index) => {
    chars += paragraph.sentences.reduce((sum, { text }) => sum + text.length, 0);
    const isMuch = chars > beginning.chars || index === beginning.paragraphs;
    return paragraph === last || (isMuch && index > 0);
  });
  return {
    paragraphs: paragraphs.slice(0, next),
    restFromMs: (paragraphs[next] ?? last).startMs,
  };
}

/** The first paragraph alone, if there are others. */
function findFirst(segments: readonly Segment[]): Beginning | undefined {
  const two = { maxChars: Number.POSITIVE_INFINITY, maxParagraphs: 2 };
  const [first, second] = toParagraphs(segments, two).paragraphs;
  return first && second && { paragraphs: [first], restFromMs: second.startMs };
}

function isFull(length: number, last: string | undefined): boolean {
  return length > longestChars || (length > wantedChars && sentenceEnd.test(last ?? ''));
}

/** Joins segments up to the end of a sentence, which begins when the first of them does. */
function toSentences(segments: readonly Segment[]): Sentence[] {
  const sentences: Sentence[] = [];
  let startMs = 0;
  let text = '';
  for (const segment of segments) {
    if (text === '') startMs = segment.startMs;
    text = text === '' ? segment.text : `${text} ${segment.text}`;
    const isLong = text.length >= shortestSentenceChars && sentenceEnd.test(segment.text);
    if (!isLong && text.length < longestSentenceChars) continue;
    sentences.push({ startMs, text });
    text = '';
  }
  if (text !== '') sentences.push({ startMs, text });
  return sentences;
}
