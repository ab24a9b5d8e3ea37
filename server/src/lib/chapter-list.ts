/** A chapter as people write it in a line. */
export interface ListedChapter {
  readonly startMs: number;
  /** Empty if the line has only a link. */
  readonly title: string;
  readonly linkUrl: string | undefined;
}

export interface ChapterList {
  readonly chapters: readonly ListedChapter[];
  /** Lines that are not understood. */
  readonly others: readonly string[];
}

/** Far more than any list has. */
export const maxListLines = 5000;
const maxLineLength = 2000;

const bullet = /^(?:[•·∙‣⁃▪◦●○■►▶→*+\-–—]|\d{1,4}[.)])\s+/u;
const timeFirst = /^[[(]?(\d[\d:.,]{0,14})[\])]?[\s\-–—:|]{0,9}(.*)$/;
const separator = /[\s\-–—|:([<]$/;
const markdownLink = /\[([^[\]]{1,500})\]\((https?:\/\/[^\s()<>]{1,2000})\)/;
const plainLink = /[<(]?(https?:\/\/[^\s<>]{1,2000})>?/;
/** After an address they belong to the sentence. */
const sentenceEnds = '.,;:!?]';
const time = /^(?:(\d{1,3}):)?(\d{1,3}):([0-5]?\d)(?:[.,](\d{1,3})\d*)?$/;

/**
 * A list of chapters as people write them: `00:01:20 Title`, `1:20 – Title`, `• [1:20] Title`,
 * `Title (1:20)`, `00:01:20.000 Title`. An address in the line is the chapter's link, and not a part
 * of its title. Linear.
 */
export function readChapterList(text: string): ChapterList {
  const chapters: ListedChapter[] = [];
  const others: string[] = [];
  for (const line of text.split(/\r\n?|\n/, maxListLines)) {
    const trimmed = line.trim().slice(0, maxLineLength);
    if (trimmed === '') continue;
    const chapter = tryReadLine(trimmed);
    if (chapter === undefined) others.push(trimmed);
    else chapters.push(chapter);
  }
  return { chapters, others };
}

function tryReadLine(line: string): ListedChapter | undefined {
  const { words, linkUrl } = takeLink(line.replaceAll('**', '').trim());
  const marked = words.replace(bullet, '');
  return tryReadWords(marked, linkUrl) ?? tryReadWords(words, linkUrl);
}

function tryReadWords(words: string, linkUrl: string | undefined): ListedChapter | undefined {
  const [, first = '', rest = ''] = timeFirst.exec(words) ?? [];
  const atStart = tryReadTime(first);
  if (atStart !== undefined) return chapterOf(atStart, rest, linkUrl);
  const space = words.lastIndexOf(' ');
  const last = words
    .slice(space + 1)
    .replace(/^[([]/, '')
    .replace(/[\])]$/, '');
  const atEnd = tryReadTime(last);
  return atEnd === undefined ? undefined : chapterOf(atEnd, words.slice(0, space + 1), linkUrl);
}

function chapterOf(
  startMs: number,
  words: string,
  linkUrl: string | undefined,
): ListedChapter | undefined {
  const title = trimEnd(words).trim();
  return title === '' && linkUrl === undefined ? undefined : { startMs, title, linkUrl };
}

/** The first address, and the line without it. */
function takeLink(line: string): { words: string; linkUrl: string | undefined } {
  const markdown = markdownLink.exec(line);
  if (markdown !== null) {
    const [all, title = '', linkUrl = ''] = markdown;
    return { words: without(line, markdown.index, all, title), linkUrl };
  }
  const found = plainLink.exec(line);
  if (found === null) return { words: line, linkUrl: undefined };
  const [all, address = ''] = found;
  const ends = all.startsWith('(') && !address.includes('(') ? `${sentenceEnds})` : sentenceEnds;
  let length = address.length;
  while (ends.includes(address.charAt(length - 1))) length -= 1;
  const linkUrl = address.slice(0, length);
  return { words: without(line, found.index, all, ''), linkUrl };
}

function without(line: string, at: number, part: string, instead: string): string {
  const before = line.slice(0, at);
  const after = line.slice(at + part.length);
  return `${instead === '' ? trimEnd(before) : before}${instead}${instead === '' ? ' ' : ''}${after}`.trim();
}

/** Without the dash or bracket that was between the title and what followed it. */
function trimEnd(words: string): string {
  let kept = words;
  while (separator.test(kept)) kept = kept.slice(0, -1);
  return kept;
}

/** `1:02:03.5`, `62:03`: milliseconds. Undefined for anything else. */
function tryReadTime(text: string): number | undefined {
  const [, hours = '0', minutes = '0', seconds, fraction = '0'] = time.exec(text) ?? [];
  if (seconds === undefined) return undefined;
  const whole = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return whole * 1000 + Number(fraction.padEnd(3, '0'));
}
