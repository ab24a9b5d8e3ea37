import { removeCredentialLinks } from '../../lib/credential-links.ts';
import { removeForbiddenCharacters } from '../../lib/html/text.ts';
import { stripFormatting } from './cue-text.ts';
import {
  maxSegments,
  maxTimeMs,
  type RawSegment,
  type RawTranscript,
  type Segment,
  type Transcript,
  TranscriptError,
} from './transcript.ts';

// Slow speech has some 150 words a minute; used for files without times.
const msPerWord = 400;
const maxSpeakerLength = 200;

/** Cleans the words, fills in missing times, sorts and counts. Throws TranscriptError. */
export function completeTranscript({ segments: raw, language }: RawTranscript): Transcript {
  const spoken = raw
    .map((segment) => ({
      ...segment,
      speaker: cleanSpeaker(segment.speaker),
      text: cleanLine(segment.text),
    }))
    .filter(({ text }) => text !== '');
  if (spoken.length === 0) throw new TranscriptError('empty', 'The transcript holds no words.');
  if (spoken.length > maxSegments) {
    throw new TranscriptError(
      'too_many_segments',
      `A transcript has at most ${maxSegments} parts.`,
    );
  }
  const segments = fillTimes(spoken);
  const durationMs = segments.reduce((latest, { endMs }) => Math.max(latest, endMs), 0);
  if (durationMs > maxTimeMs) {
    throw new TranscriptError(
      'damaged',
      'The transcript has times later than any recording is long.',
    );
  }
  const wordCount = segments.reduce((sum, { text }) => sum + countWords(text), 0);
  return { segments, wordCount, durationMs, ...(language === undefined ? {} : { language }) };
}

// These characters are invisible, and could split a link to hide it.
const invisible = /[\u00AD\u200B\u2060\uFEFF]/g;

/** Returns one line of plain text, without links that carry a token (the contract). */
export function cleanLine(text: string): string {
  const visible = stripFormatting(removeForbiddenCharacters(text).replace(invisible, ''));
  const line = visible.replace(/\s+/g, ' ').trim();
  return removeCredentialLinks(line).replace(/ {2,}/g, ' ').trim();
}

export function cleanSpeaker(name: string): string {
  return cleanLine(name).slice(0, maxSpeakerLength).trim().toWellFormed();
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
