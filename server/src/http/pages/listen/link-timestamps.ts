import { findTimestamps } from '../../../lib/html/timestamp.ts';
import { placeHere } from './places.ts';

/** Text that stays as it is: each tag, and the start and end of elements whose content does. */
const tag = /<(?:(\/?)(?:a|pre|code)(?=[\s>]))?[^<>]*>/gi;

/** Nobody wants more of them, and every link takes time. */
const mostTimes = 1_000;

/**
 * Links the first thousand times in sanitized notes to their positions in the audio, as chapters do
 * (`#t=` works without scripts). Links and code stay as they are. One pass over the text. A time of
 * day becomes a link only if the audio is that long.
 */
export function linkTimestamps(
  notes: string,
  durationMs: number = Number.POSITIVE_INFINITY,
  placeOf = placeHere,
): string {
  const tags = notes.matchAll(tag);
  let next = tags.next().value;
  let depth = 0;
  let html = '';
  let done = 0;
  let found = 0;
  for (const { index, text, seconds } of findTimestamps(notes)) {
    while (next !== undefined && next.index + next[0].length <= index) {
      if (next[1] !== undefined) depth = Math.max(0, depth + (next[1] === '' ? 1 : -1));
      next = tags.next().value;
    }
    const isText = depth === 0 && (next === undefined || index < next.index);
    if (!isText || seconds * 1000 >= durationMs) continue;
    html += `${notes.slice(done, index)}<a href="${placeOf(seconds)}" data-t="${seconds}">${text}</a>`;
    done = index + text.length;
    found += 1;
    if (found === mostTimes) break;
  }
  return html + notes.slice(done);
}
