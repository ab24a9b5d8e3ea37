import { findTimestamps } from '../../../lib/html/timestamp.ts';

/** Elements whose content stays as it is. */
const verbatim = /^<(\/?)(?:a|pre|code)[\s>]/i;

/**
 * Links each time in sanitized notes to its position in the audio, as chapters do (`#t=` works
 * without scripts). Links and code stay as they are. One pass over the text. A time of day becomes
 * a link only if the audio is that long.
 */
export function linkTimestamps(notes: string, durationMs: number | undefined): string {
  let depth = 0;
  return notes
    .split(/(<[^<>]*>)/)
    .map((piece, i) => {
      const isTag = i % 2 === 1;
      if (!isTag)
        return depth > 0 ? piece : linkText(piece, durationMs ?? Number.POSITIVE_INFINITY);
      const [, slash] = verbatim.exec(piece) ?? [];
      if (slash !== undefined) depth = Math.max(0, depth + (slash === '' ? 1 : -1));
      return piece;
    })
    .join('');
}

function linkText(text: string, lastMs: number): string {
  let html = '';
  let done = 0;
  for (const { index, text: written, seconds } of findTimestamps(text)) {
    if (seconds * 1000 >= lastMs) continue;
    html += `${text.slice(done, index)}<a href="#t=${seconds}" data-t="${seconds}">${written}</a>`;
    done = index + written.length;
  }
  return html + text.slice(done);
}
