import { type Chapter, ChaptersError, maxChaptersBytes } from './chapter.ts';
import { completeChapters, type RawChapter } from './complete-chapters.ts';
import { isRecord, tryReadTime } from './json-fields.ts';
import { readVttCues } from './parse-vtt.ts';

/**
 * Reads chapters: the JSON of the Podcasting 2.0 namespace (1.2, and what real files make of it), a
 * Podlove list (`start`, `href`, `image`), or WebVTT, told by the content. Throws ChaptersError.
 */
export function parseChapters(text: string): Chapter[] {
  if (Buffer.byteLength(text) > maxChaptersBytes) {
    throw new ChaptersError('too_large', 'A chapter file has at most 1 MB.');
  }
  const document = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  return completeChapters(/^WEBVTT\b/.test(document) ? readVtt(document) : readJson(document));
}

function readVtt(text: string): RawChapter[] {
  return readVttCues(text).map((cue) => ({
    startMs: cue.startMs,
    endMs: cue.endMs,
    title: cue.text,
  }));
}

function readJson(text: string): RawChapter[] {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (cause) {
    throw new ChaptersError('not_chapters', 'The chapters are not whole JSON.', { cause });
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

/** A chapter called 1984 is often a number in its file. */
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
