import { maxListLines, readChapterList } from '../../../lib/chapter-list.ts';
import { loadHtmlParser } from '../../../lib/html/html-readers.ts';
import { type Chapter, ChaptersError, maxChapters, maxChaptersBytes } from './chapter.ts';
import { completeChapters, type ParsedChapters, type RawChapter } from './complete-chapters.ts';
import { linesOf } from './cue-text.ts';
import { isRecord, isTooLargeJson, tryReadTime } from './json-fields.ts';
import { LeftOutParts } from './left-out.ts';
import { readVtt as readVttFile } from './parse-vtt.ts';
import { type RawSegment, TranscriptError } from './transcript.ts';

/**
 * Reads chapters: the JSON of the Podcasting 2.0 namespace (1.2, and its common variants), Podlove
 * Simple Chapters as XML or JSON, WebVTT, labels of Audacity, `CHAPTER01=` lines, or a list of times
 * and titles. Detects the format by the content. Throws ChaptersError.
 */
export function parseChapters(text: string): ParsedChapters {
  if (Buffer.byteLength(text) > maxChaptersBytes) {
    throw new ChaptersError('too_large', 'A chapter file may have at most 1 MB.');
  }
  const document = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const leftOut = new LeftOutParts();
  return completeChapters(readRaw(document, leftOut), leftOut);
}

function readRaw(document: string, leftOut: LeftOutParts): RawChapter[] {
  if (/^WEBVTT\b/.test(document)) return readVtt(document, leftOut);
  if (/^\s*</.test(document)) return readXml(document);
  if (/^\s*CHAPTER\d+\s*=/i.test(document)) return readComments(document, leftOut);
  const isJson = /^\s*(?:\{|\[\s*(?:[[{\]"]|$))/.test(document) || document.trim() === '';
  return isJson ? readJson(document, leftOut) : readList(document, leftOut);
}

function readVtt(text: string, leftOut: LeftOutParts): RawChapter[] {
  try {
    const file = readVttFile(text);
    refuseTranscript(file.segments);
    leftOut.addAll(file.leftOut);
    return file.segments.map(({ startMs, endMs, text: title }) => ({ startMs, endMs, title }));
  } catch (cause) {
    if (!(cause instanceof TranscriptError)) throw cause;
    throw new ChaptersError('too_many_chapters', cause.message, { cause });
  }
}

function refuseTranscript(cues: readonly RawSegment[]): void {
  if (!isTranscript(cues)) return;
  const message =
    'This is a transcript, not chapters. Use it as the transcript, or send a chapter file.';
  throw new ChaptersError('not_chapters', message);
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

const maxDepth = 100;

/** Podlove Simple Chapters, alone or inside another document. */
function readXml(text: string): RawChapter[] {
  const { Parser } = loadHtmlParser();
  const chapters: RawChapter[] = [];
  let depth = 0;
  const parser = new Parser(
    {
      onclosetag() {
        depth -= 1;
      },
      onopentag(name, { start, title, href, image }) {
        depth += 1;
        // The parser takes quadratic time in the depth.
        if (depth > maxDepth)
          throw new ChaptersError('not_chapters', 'The XML is nested too deeply.');
        if (!/^(?:\w+:)?chapter$/i.test(name) || chapters.length > maxChapters) return;
        const startMs = tryReadTime(start);
        chapters.push({ startMs, title, linkUrl: href, imageUrl: image });
      },
    },
    { xmlMode: true },
  );
  parser.end(text);
  if (chapters.length === 0) {
    throw new ChaptersError('not_chapters', 'The XML has no chapters (psc:chapter elements).');
  }
  return chapters;
}

function readComments(text: string, leftOut: LeftOutParts): RawChapter[] {
  const comments: [string, string][] = [];
  for (const line of linesOf(text)) {
    const at = line.indexOf('=');
    if (at > 0) comments.push([line.slice(0, at).trim(), line.slice(at + 1)]);
    else if (line.trim() !== '') leftOut.add(line);
  }
  return readChapterComments(comments);
}

const label = /^(\d{1,7}(?:\.\d{1,9})?)\t(\d{1,7}(?:\.\d{1,9})?)\t(.*)$/;

function readList(text: string, leftOut: LeftOutParts): RawChapter[] {
  const labels = readLabels(text);
  if (labels !== undefined) return labels;
  if (text.split('\n', maxListLines + 1).length > maxListLines) {
    throw new ChaptersError('too_many_chapters', `A list may have at most ${maxListLines} lines.`);
  }
  const { chapters, others } = readChapterList(text);
  if (chapters.length === 0) {
    const [first = ''] = others;
    const message = `The file has no chapters: neither JSON nor lines with a time, such as 00:01:20 Title. It begins with: ${first.slice(0, 80)}`;
    throw new ChaptersError('not_chapters', message);
  }
  for (const line of others) leftOut.add(line);
  return [...chapters];
}

/** Audacity's labels: start, end and title of each, with tabs. A label at one moment has no end. */
function readLabels(text: string): RawChapter[] | undefined {
  const chapters: RawChapter[] = [];
  for (const line of linesOf(text)) {
    if (line.trim() === '') continue;
    const [, start, end, title] = label.exec(line) ?? [];
    if (start === undefined) return undefined;
    chapters.push({ startMs: tryReadTime(start), endMs: tryReadTime(end), title });
  }
  return chapters;
}

function readJson(text: string, leftOut: LeftOutParts): RawChapter[] {
  if (isTooLargeJson(text)) {
    throw new ChaptersError('too_many_chapters', 'The JSON has too many values or levels.');
  }
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
  const chapters: RawChapter[] = [];
  for (const entry of list) {
    if (isRecord(entry)) chapters.push(readEntry(entry));
    else leftOut.add(JSON.stringify(entry));
  }
  return chapters;
}

function readEntry(entry: Record<string, unknown>): RawChapter {
  return {
    startMs: tryReadTime(entry['startTime'] ?? entry['start']),
    endMs: tryReadTime(entry['endTime'] ?? entry['end']),
    title: readText(entry['title']),
    imageUrl: readText(entry['img'] ?? entry['image']),
    linkUrl: readText(entry['url'] ?? entry['href']),
    hidden: entry['toc'] === false || entry['toc'] === 'false',
  };
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

const key = /^CHAPTER(\d{1,4})(NAME|URL)?$/i;

/**
 * Chapters in comments of Opus, Ogg Vorbis and FLAC, and in simple files of Matroska tools:
 * `CHAPTER001=00:01:20.000`, `CHAPTER001NAME=Title`, `CHAPTER001URL=https://…`.
 */
export function readChapterComments(
  comments: Iterable<readonly [name: string, value: string]>,
): RawChapter[] {
  const byNumber = new Map<number, { time?: string; NAME?: string; URL?: string }>();
  for (const [name, value] of comments) {
    const [, number, part] = key.exec(name) ?? [];
    if (number === undefined) continue;
    const chapter = byNumber.get(Number(number)) ?? {};
    chapter[(part?.toUpperCase() ?? 'time') as keyof typeof chapter] = value;
    byNumber.set(Number(number), chapter);
  }
  return [...byNumber.values()].map(({ time, NAME: title, URL: linkUrl }) => ({
    startMs: tryReadTime(time),
    title,
    linkUrl,
  }));
}
