import { tryParseTime } from '../times.ts';
import type { Chapter } from './chapter.ts';

export interface ParsedList {
  readonly chapters: readonly Chapter[];
  /** Lines that are not understood. */
  readonly others: readonly string[];
}

const maxLines = 5000;
const maxLineLength = 2000;
const before = /^[[(]?(\d[\d:.,]{0,14})[\])]?[\s\-–—:|]{0,9}(.*)$/;
const separators = /[\s\-–—|([]$/;
const link = /<(https?:\/\/[^<>\s]+)>\s*$/;

/**
 * A list of chapters as people write them: `00:01:20 Title`, `1:20 – Title`, `[1:20] Title`, `Title
 * (1:20)`, with an address in angle brackets at the end. Linear.
 */
export function parseChapterList(text: string): ParsedList {
  const chapters: Chapter[] = [];
  const others: string[] = [];
  for (const line of text.split('\n').slice(0, maxLines)) {
    const trimmed = line.trim().slice(0, maxLineLength);
    if (trimmed === '') continue;
    const chapter = tryParseLine(trimmed);
    if (chapter === undefined) others.push(trimmed);
    else chapters.push(chapter);
  }
  return { chapters, others };
}

function tryParseLine(line: string): Chapter | undefined {
  const linkUrl = link.exec(line)?.[1] ?? null;
  const words = linkUrl === null ? line : line.replace(link, '').trim();
  const [, first = '', rest = ''] = before.exec(words) ?? [];
  const atStart = first.includes(':') ? tryParseTime(first) : undefined;
  if (atStart !== undefined) return chapterOf(atStart, rest, linkUrl);
  const space = words.lastIndexOf(' ');
  const last = words
    .slice(space + 1)
    .replace(/^[([]/, '')
    .replace(/[\])]$/, '');
  const atEnd = last.includes(':') ? tryParseTime(last) : undefined;
  if (atEnd === undefined) return undefined;
  let title = words.slice(0, space + 1);
  while (separators.test(title)) title = title.slice(0, -1);
  return chapterOf(atEnd, title, linkUrl);
}

function chapterOf(seconds: number, title: string, linkUrl: string | null): Chapter | undefined {
  const name = title.trim();
  if (name === '' && linkUrl === null) return undefined;
  return {
    start_seconds: seconds,
    end_seconds: null,
    title: name,
    image_url: null,
    link_url: linkUrl,
    hidden: false,
  };
}
