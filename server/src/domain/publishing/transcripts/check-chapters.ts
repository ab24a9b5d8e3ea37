import type { Sentence } from '../../../lib/sentences.ts';
import { createYielder } from '../../../lib/time-slices.ts';
import type { ErrorDetail } from '../../foundation/errors.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import { maxChapters } from './chapter.ts';
import { completeChapter, type RawChapter } from './complete-chapters.ts';

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
