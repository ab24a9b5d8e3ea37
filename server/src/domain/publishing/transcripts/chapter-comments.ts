import type { RawChapter } from './complete-chapters.ts';
import { tryReadTime } from './json-fields.ts';

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
