import { carriesCredential } from '../../../lib/credential.ts';
import { removeCredentialLinks } from '../../../lib/credential-links.ts';
import { formatDuration } from '../../../lib/duration.ts';
import { removeForbiddenCharacters } from '../../../lib/html/html-readers.ts';
import { tryNormalizeLink } from '../../../lib/html/link.ts';
import { maxChars } from '../../../lib/limits.ts';
import type { Sentence } from '../../../lib/sentences.ts';
import { createYielder } from '../../../lib/time-slices.ts';
import { isShortUrl } from '../../../lib/web-url.ts';
import type { ErrorDetail } from '../../foundation/errors.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import { type Chapter, ChaptersError, maxChapters } from './chapter.ts';
import { type LeftOut, LeftOutParts } from './left-out.ts';
import { maxTimeMs } from './transcript.ts';

/** An unchecked chapter of a file or a feed (Podlove Simple Chapters). */
export interface RawChapter {
  readonly startMs: number | undefined;
  readonly endMs?: number | undefined;
  readonly title?: string | undefined;
  readonly imageUrl?: string | undefined;
  readonly linkUrl?: string | undefined;
  readonly hidden?: boolean | undefined;
}

export interface ParsedChapters {
  /** In order of time; at least one. */
  readonly chapters: readonly Chapter[];
  readonly leftOut: LeftOut;
}

/**
 * Checks and sorts chapters. Leaves out a chapter that `completeChapter` drops, and an address that
 * is not http(s), is too long or carries a credential. Throws ChaptersError.
 */
export function completeChapters(
  raw: readonly RawChapter[],
  leftOut = new LeftOutParts(),
): ParsedChapters {
  if (raw.length > maxChapters) {
    throw new ChaptersError('too_many_chapters', `At most ${maxChapters} chapters are allowed.`);
  }
  const chapters: Chapter[] = [];
  for (const entry of raw) {
    const completed = completeChapter(entry);
    if (completed.length === 0) leftOut.add(describe(entry));
    for (const chapter of completed) addLostAddresses(entry, chapter, leftOut);
    chapters.push(...completed);
  }
  if (chapters.length === 0) throw new ChaptersError('empty', 'The file contains no chapters.');
  chapters.sort((one, other) => one.startMs - other.startMs);
  return { chapters, leftOut: leftOut.finish(clean) };
}

function addLostAddresses(entry: RawChapter, kept: Chapter, leftOut: LeftOutParts): void {
  for (const field of ['imageUrl', 'linkUrl'] as const) {
    const address = entry[field]?.trim() ?? '';
    if (address !== '' && kept[field] === undefined) leftOut.add(clean(address) || describe(entry));
  }
}

/** Its title, or its time if there is none. */
function describe({ startMs, title = '' }: RawChapter): string {
  const isTimed = startMs !== undefined && startMs >= 0 && startMs <= maxTimeMs;
  return clean(title) || (isTimed ? formatDuration(startMs) : '?');
}

/** One chapter; undefined if it is dropped. */
export function completeChapter(raw: RawChapter): Chapter[] {
  const startMs = Math.round(raw.startMs ?? -1);
  if (!(startMs >= 0 && startMs <= maxTimeMs)) return [];
  const endMs = Math.round(raw.endMs ?? 0);
  const title = clean(raw.title ?? '');
  const imageUrl = tryAddress(raw.imageUrl);
  const linkUrl = tryAddress(raw.linkUrl);
  const chapter = {
    startMs,
    ...(endMs > startMs && endMs <= maxTimeMs ? { endMs } : {}),
    ...(title === '' ? {} : { title }),
    ...(imageUrl === undefined ? {} : { imageUrl }),
    ...(linkUrl === undefined ? {} : { linkUrl }),
    ...(raw.hidden === true ? { hidden: true } : {}),
  };
  // A chapter without title, image and link is dropped.
  return title === '' && imageUrl === undefined && linkUrl === undefined ? [] : [chapter];
}

function clean(title: string): string {
  const line = removeForbiddenCharacters(title).replace(/\s+/g, ' ').trim();
  return removeCredentialLinks(line.slice(0, maxChars.chapterTitle).toWellFormed()).trim();
}

function tryAddress(text: string | undefined): string | undefined {
  const address = tryNormalizeLink(text ?? '', ['http:', 'https:']);
  if (address === undefined || !isShortUrl(address)) return undefined;
  return carriesCredential(address) ? undefined : address;
}

/**
 * Returns the problems of chapters that a person wrote. `completeChapters` instead leaves such
 * chapters out, which is right for files of others. Yields to other tasks.
 */
export async function checkChapters(chapters: readonly RawChapter[]): Promise<ErrorDetail[]> {
  if (chapters.length > maxChapters) {
    return [{ field: 'chapters', ...sayRefusal('chapter_count', { max: maxChapters }) }];
  }
  const maybeYield = createYielder();
  const details: ErrorDetail[] = [];
  for (const [index, chapter] of chapters.entries()) {
    for (const [field, said] of problemsOf(chapter)) {
      details.push({ field: `chapters[${index}].${field}`, ...said });
    }
    await maybeYield();
  }
  return details;
}

function problemsOf(chapter: RawChapter): [field: string, said: Sentence][] {
  const { startMs, endMs, imageUrl, linkUrl } = chapter;
  const [kept] = completeChapter({ ...chapter, title: chapter.title ?? 'x', startMs: 0 });
  const problems: [string, Sentence][] = [];
  if (completeChapter({ startMs, title: 'x' }).length === 0) {
    problems.push(['start_seconds', sayRefusal('chapter_start')]);
  }
  if (endMs !== undefined && !(endMs > (startMs ?? 0))) {
    problems.push(['end_seconds', sayRefusal('chapter_end')]);
  }
  for (const [field, given, result] of [
    ['image_url', imageUrl, kept?.imageUrl],
    ['link_url', linkUrl, kept?.linkUrl],
  ] as const) {
    if (given === undefined || result !== undefined) continue;
    problems.push([field, sayRefusal('safe_address')]);
  }
  if (problems.length === 0 && completeChapter(chapter).length === 0) {
    problems.push(['title', sayRefusal('chapter_empty')]);
  }
  return problems;
}
