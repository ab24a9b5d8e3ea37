import { removeCredentialLinks } from '../../../lib/credential-links.ts';
import { removeForbiddenCharacters } from '../../../lib/html/html-readers.ts';
import { maxChars } from '../../../lib/limits.ts';
import { stripFormatting } from './cue-text.ts';
import { type LeftOut, nothingLeftOut } from './left-out.ts';
import {
  maxSegmentLength,
  maxSegments,
  maxTimeMs,
  type RawSegment,
  type RawTranscript,
  type Segment,
  type Transcript,
  TranscriptError,
} from './transcript.ts';

// Slow speech has some 150 words a minute; used between known times, and after the last one.
const msPerWord = 400;

/** Cleans the words, fills in missing times, sorts and counts. Throws TranscriptError. */
export function completeTranscript(raw: RawTranscript): Transcript {
  const { language } = raw;
  const leftOut = raw.leftOut?.finish(cleanLine) ?? nothingLeftOut;
  const spoken = raw.segments.flatMap((segment) => splitLong(cleanSegment(segment)));
  if (spoken.length === 0) throw new TranscriptError('empty', explainEmpty(leftOut));
  if (spoken.length > maxSegments) {
    throw new TranscriptError(
      'too_many_segments',
      `A transcript may have at most ${maxSegments} segments.`,
    );
  }
  const hasTimes = isTimed(raw.segments);
  const segments = hasTimes ? fillTimes(spoken) : spoken.map(withoutTimes);
  const durationMs = segments.reduce((latest, { endMs }) => Math.max(latest, endMs), 0);
  if (durationMs > maxTimeMs) {
    throw new TranscriptError(
      'damaged',
      'The transcript has times beyond the longest possible recording.',
    );
  }
  const wordCount = segments.reduce((sum, { text }) => sum + countWords(text), 0);
  return {
    segments,
    hasTimes,
    wordCount,
    durationMs,
    ...(language === undefined ? {} : { language }),
    ...(leftOut.count === 0 ? {} : { leftOut }),
  };
}

/** A single time says little about the words that follow it. */
function isTimed(raw: readonly RawSegment[]): boolean {
  const starts = raw.flatMap(({ startMs }) => startMs ?? []);
  return starts.length === raw.length || new Set(starts).size > 1;
}

function withoutTimes({ speaker, text }: RawSegment): Segment {
  return { startMs: 0, endMs: 0, speaker, text };
}

function explainEmpty({ count, examples: [example] }: LeftOut): string {
  if (count === 0) return 'The transcript contains no words.';
  return `Nothing in the file could be read, for example: ${example}`;
}

function cleanSegment(segment: RawSegment): RawSegment {
  return { ...segment, speaker: cleanSpeaker(segment.speaker), text: cleanLine(segment.text) };
}

/** In pieces of a length that can be shown and edited; none for a segment without words. */
function splitLong(segment: RawSegment): RawSegment[] {
  const { text, endMs } = segment;
  if (text === '') return [];
  if (text.length <= maxSegmentLength) return [segment];
  const pieces: RawSegment[] = [];
  for (let start = 0; start < text.length; ) {
    const end = findBreak(text, start);
    const piece = text.slice(start, end).trim().toWellFormed();
    const startMs = pieces.length === 0 ? segment.startMs : undefined;
    if (piece !== '') pieces.push({ ...segment, startMs, endMs: undefined, text: piece });
    start = end;
  }
  return pieces.map((piece, index) => (index === pieces.length - 1 ? { ...piece, endMs } : piece));
}

/** After the last sentence of the piece that begins at `start`, else after its last word. */
function findBreak(text: string, start: number): number {
  if (text.length - start <= maxSegmentLength) return text.length;
  const piece = text.slice(start, start + maxSegmentLength);
  const half = maxSegmentLength / 2;
  const sentence = Math.max(...['. ', '? ', '! '].map((end) => piece.lastIndexOf(end)));
  if (sentence > half) return start + sentence + 1;
  const word = piece.lastIndexOf(' ');
  return start + (word > half ? word : maxSegmentLength);
}

// These characters are invisible, and could split a link to hide it.
const invisible = /[\u00AD\u200B\u2060\uFEFF]/g;

/** Returns one line of plain text, without links that carry a token (KEYED-20). */
export function cleanLine(text: string): string {
  const visible = stripFormatting(removeForbiddenCharacters(text).replace(invisible, ''));
  const line = visible.replace(/\s+/g, ' ').trim();
  return removeCredentialLinks(line).replace(/ {2,}/g, ' ').trim();
}

export function cleanSpeaker(name: string): string {
  return cleanLine(name).slice(0, maxChars.speaker).trim().toWellFormed();
}

function fillTimes(raw: readonly RawSegment[]): Segment[] {
  const starts = fillStarts(raw);
  const timed = raw
    .map((segment, index) => ({ ...segment, startMs: Math.round(starts[index] ?? 0) }))
    .sort((one, other) => one.startMs - other.startMs);
  return timed.map(({ startMs, endMs, speaker, text }, index) => {
    const next = timed[index + 1]?.startMs ?? 0;
    const end = endMs ?? (next > startMs ? next : startMs + lengthOf(text));
    return { startMs, endMs: Math.max(Math.round(end), startMs + 1), speaker, text };
  });
}

/** Segments without a time share the time between their neighbors, by number of words. */
function fillStarts(raw: readonly RawSegment[]): number[] {
  const starts: number[] = [];
  for (let index = 0; index < raw.length; ) {
    const from = Math.max(0, raw[index]?.startMs ?? 0);
    let next = index + 1;
    while (next < raw.length && raw[next]?.startMs === undefined) next += 1;
    const group = raw.slice(index, next).map(({ text }) => lengthOf(text));
    const total = group.reduce((sum, length) => sum + length, 0);
    const span = (raw[next]?.startMs ?? 0) - from;
    const scale = next < raw.length && span > 0 ? Math.min(1, span / total) : 1;
    let at = from;
    for (const length of group) {
      starts.push(at);
      at += length * scale;
    }
    index = next;
  }
  return starts;
}

function lengthOf(text: string): number {
  return Math.max(1, countWords(text)) * msPerWord;
}

// In scripts without spaces, every character counts as a word.
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;

/** Counts words between spaces. */
export function countWords(text: string): number {
  let words = 0;
  for (const word of text.split(' ')) words += word.match(unspaced)?.length ?? 1;
  return words;
}
