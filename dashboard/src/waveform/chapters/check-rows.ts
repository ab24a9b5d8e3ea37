import type { Recording } from '../recording.ts';
import type { Chapter, Row } from './chapter.ts';

export type Problem =
  | 'no-title'
  | 'bad-link'
  | 'bad-picture'
  | 'after-end'
  /** After the end that another host's feed states, which may be wrong. */
  | 'after-stated-end'
  | 'same-time';

/** The length of the audio, in seconds; 0: unknown. */
export type Length = Pick<Recording, 'duration' | 'hasFile'>;

/** The problems of each chapter that the browser can find. */
export function checkRows(
  rows: readonly Row[],
  { duration, hasFile }: Length,
): Map<string, Problem[]> {
  const problems = new Map<string, Problem[]>();
  const starts = new Map<number, number>();
  for (const { hidden, isNew, start_seconds: start } of rows) {
    if (!hidden && !isNew) starts.set(start, (starts.get(start) ?? 0) + 1);
  }
  for (const row of rows) {
    if (row.isNew) {
      problems.set(row.id, ['no-title']);
      continue;
    }
    const found: Problem[] = [];
    const { title, link_url: link, image_url: image, start_seconds: start } = row;
    if (!title?.trim() && !link && !image) found.push('no-title');
    if (link && !isAddress(link)) found.push('bad-link');
    if (image && !isAddress(image)) found.push('bad-picture');
    if (isAfterEnd(row, duration)) {
      found.push(hasFile ? 'after-end' : 'after-stated-end');
    }
    if (!row.hidden && (starts.get(start) ?? 0) > 1) found.push('same-time');
    if (found.length > 0) problems.set(row.id, found);
  }
  return problems;
}

/** Whether it begins after the end of our copy of the audio, which the server refuses. */
export function isBeyondEnd(chapter: Chapter, { duration, hasFile }: Length): boolean {
  return hasFile && isAfterEnd(chapter, duration);
}

function isAfterEnd({ start_seconds: start }: Chapter, duration: number): boolean {
  return duration > 0 && start >= duration;
}

/** Problems for which the server would refuse the list. */
export function isRefused(problem: Problem): boolean {
  return problem !== 'after-stated-end' && problem !== 'same-time';
}

/** Whether the server would refuse this list. */
export function hasRefused(chapters: readonly Chapter[], length: Length): boolean {
  const rows = chapters.map((chapter, index) => ({ ...chapter, id: String(index) }));
  return [...checkRows(rows, length).values()].flat().some(isRefused);
}

function isAddress(text: string): boolean {
  try {
    return ['http:', 'https:'].includes(new URL(text.trim()).protocol);
  } catch {
    return false;
  }
}
