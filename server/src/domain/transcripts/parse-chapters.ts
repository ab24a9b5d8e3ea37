import { type Chapter, ChaptersError, maxChaptersBytes } from './chapter.ts';
import { completeChapters, type RawChapter } from './complete-chapters.ts';
import { isRecord, tryReadTime } from './json-fields.ts';
import { readVtt as readVttFile } from './parse-vtt.ts';
import type { RawSegment } from './transcript.ts';

/**
 * Reads chapters: the JSON of the Podcasting 2.0 namespace (1.2, and its common variants), a
 * Podlove list (`start`, `href`, `image`), or WebVTT. Detects the format by the content. Throws
 * ChaptersError.
 */
export function parseChapters(text: string): Chapter[] {
  if (Buffer.byteLength(text) > maxChaptersBytes) {
    throw new ChaptersError('too_large', 'A chapter file has at most 1 MB.');
  }
  const document = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  return completeChapters(/^WEBVTT\b/.test(document) ? readVtt(document) : readJson(document));
}

function readVtt(text: string): RawChapter[] {
  const { segments: cues } = readVttFile(text);
  if (isTranscript(cues)) {
    const message =
      'This is a transcript, not chapters: give it as transcript, or a file of chapters.';
    throw new ChaptersError('not_chapters', message);
  }
  return cues.map((cue) => ({
    startMs: cue.startMs,
    endMs: cue.endMs,
    title: cue.text,
  }));
}

const manyCues = 20;
const shortCueMs = 10_000;

/** Chapters have no voices. If there are many, most last longer than a sentence. */
function isTranscript(cues: readonly RawSegment[]): boolean {
  if (cues.some(({ speaker }) => speaker !== '')) return true;
  if (cues.length < manyCues) return false;
  const short = cues.filter(({ startMs = 0, endMs }) => (endMs ?? startMs) - startMs < shortCueMs);
  return short.length * 2 > cues.length;
}

function readJson(text: string): RawChapter[] {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (cause) {
    throw new ChaptersError('not_chapters', 'The chapters are not valid JSON.', { cause });
  }
  const list = isRecord(document) ? document['chapters'] : document;
  if (!Array.isArray(list)) {
    throw new ChaptersError('not_chapters', 'The JSON has no list of chapters.');
  }
  return list.filter(isRecord).map((entry) => ({
    startMs: tryReadTime(entry['startTime'] ?? entry['start']),
    endMs: tryReadTime(entry['endTime'] ?? entry['end']),
    title: readText(entry['title']),
    imageUrl: readText(entry['img'] ?? entry['image']),
    linkUrl: readText(entry['url'] ?? entry['href']),
    hidden: entry['toc'] === false || entry['toc'] === 'false',
  }));
}

/** A title such as 1984 is often a number in its file. */
function readText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** Podcasting 2.0 JSON chapters, version 1.2. Times are seconds with up to three decimals. */
export function formatChaptersJson(chapters: readonly Chapter[]): string {
  return JSON.stringify({
    version: '1.2.0',
    chapters: chapters.map(({ startMs, endMs, title, imageUrl, linkUrl, hidden }) => ({
      startTime: startMs / 1000,
      ...(endMs === undefined ? {} : { endTime: endMs / 1000 }),
      ...(title === undefined ? {} : { title }),
      ...(imageUrl === undefined ? {} : { img: imageUrl }),
      ...(linkUrl === undefined ? {} : { url: linkUrl }),
      ...(hidden === true ? { toc: false } : {}),
    })),
  });
}
