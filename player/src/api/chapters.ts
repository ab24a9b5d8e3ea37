import { fetchJson } from './fetch.ts';
import type { ChapterFile } from './wire.ts';

export interface Chapter {
  readonly startSeconds: number;
  readonly title: string;
  readonly imageUrl: string | undefined;
  readonly linkUrl: string | undefined;
}

/** The visible chapters, in order. */
export async function fetchChapters(url: string): Promise<Chapter[]> {
  const file = await fetchJson<ChapterFile>(url);
  return file.chapters
    .filter(({ toc, title }) => toc !== false && title)
    .map(({ startTime, title = '', img, url: link }) => ({
      startSeconds: startTime,
      title,
      imageUrl: img,
      linkUrl: link,
    }))
    .sort((one, other) => one.startSeconds - other.startSeconds);
}

/** Index of the last chapter that has begun; -1 before the first. */
export function findCurrent(
  starts: readonly { readonly startSeconds: number }[],
  seconds: number,
): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle]?.startSeconds ?? 0) <= seconds) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
