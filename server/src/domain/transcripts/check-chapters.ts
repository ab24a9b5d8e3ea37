import { takeTurns } from '../../lib/take-turns.ts';
import type { ErrorDetail } from '../errors.ts';
import { maxChapters } from './chapter.ts';
import { completeChapter, type RawChapter } from './complete-chapters.ts';

/**
 * Returns what is wrong with chapters that a person wrote. `completeChapters` leaves such things out,
 * which is right for the files of others. Works in turns.
 */
export async function checkChapters(chapters: readonly RawChapter[]): Promise<ErrorDetail[]> {
  if (chapters.length > maxChapters) {
    return [{ field: 'chapters', message: `There are at most ${maxChapters} chapters.` }];
  }
  const giveWay = takeTurns();
  const details: ErrorDetail[] = [];
  for (const [index, chapter] of chapters.entries()) {
    for (const [field, message] of problemsOf(chapter)) {
      details.push({ field: `chapters[${index}].${field}`, message });
    }
    await giveWay();
  }
  return details;
}

function problemsOf(chapter: RawChapter): [field: string, message: string][] {
  const { startMs, endMs, imageUrl, linkUrl } = chapter;
  const [kept] = completeChapter({ ...chapter, title: chapter.title ?? 'x', startMs: 0 });
  const problems: [string, string][] = [];
  if (completeChapter({ startMs, title: 'x' }).length === 0) {
    problems.push(['start_seconds', 'This must be a time within the longest recording.']);
  }
  if (endMs !== undefined && !(endMs > (startMs ?? 0))) {
    problems.push(['end_seconds', 'A chapter ends after its start.']);
  }
  for (const [field, given, result] of [
    ['image_url', imageUrl, kept?.imageUrl],
    ['link_url', linkUrl, kept?.linkUrl],
  ] as const) {
    if (given === undefined || result !== undefined) continue;
    problems.push([field, 'This must be an http or https address without a secret in it.']);
  }
  if (problems.length === 0 && completeChapter(chapter).length === 0) {
    problems.push(['title', 'A chapter has a title, a picture or a link.']);
  }
  return problems;
}
