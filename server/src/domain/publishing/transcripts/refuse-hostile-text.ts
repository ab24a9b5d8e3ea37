import { maxSegments, maxTranscriptBytes, type Segment, TranscriptError } from './transcript.ts';

/**
 * What no transcript has so often: each takes dozens of bytes in a parser. Words with their own
 * times are objects in JSON, so that a long transcript has many.
 */
const most: readonly (readonly [mark: string, count: number])[] = [
  ['{', 1_000_000],
  ['[', 1_000_000],
  ['<', 1_000_000],
  ['-->', 2 * maxSegments],
];

/** Refuses text that would keep a parser busy, before it is parsed. Throws TranscriptError. */
export function refuseHostileText(text: string): void {
  for (const [mark, count] of most) {
    if (isMoreOften(text, mark, count)) {
      throw new TranscriptError('too_many_segments', `The transcript has ${mark} too often.`);
    }
  }
}

function isMoreOften(text: string, mark: string, count: number): boolean {
  let found = 0;
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + mark.length)) {
    found += 1;
    if (found > count) return true;
  }
  return false;
}

/** `&` has five characters in a file of captions: these must not be many times as large. */
const maxWrittenChars = 1.5 * maxTranscriptBytes;

/** Refuses a transcript whose files would be far larger than it. Throws TranscriptError. */
export function refuseLongFiles(segments: readonly Segment[]): void {
  let chars = 0;
  for (const { speaker, text } of segments) chars += writtenLength(speaker) + writtenLength(text);
  if (chars <= maxWrittenChars) return;
  throw new TranscriptError('too_large', 'The transcript has too many special characters.');
}

function writtenLength(text: string): number {
  let chars = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === ampersand) chars += '&amp;'.length - 1;
    else if (code === less || code === greater) chars += '&lt;'.length - 1;
  }
  return chars;
}

const [ampersand, less, greater] = ['&', '<', '>'].map((sign) => sign.charCodeAt(0));
