/** `1:02:03` or `12:05` in text, but not as part of a longer number, a date or a URL. */
const timestamp =
  /(?<![\w:./,+])(?:(\d{1,2}):)?([0-5]?\d):([0-5]\d)(?![\w:/]|[.,]\d|\s?(?:[ap]\.?m\b|uhr\b|utc|gmt|c?est\b|cet\b))/giu;

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
  return text.replace(timestamp, (written: string, hours = '0', minutes: string, rest: string) => {
    const seconds = Number(hours) * 3600 + Number(minutes) * 60 + Number(rest);
    return seconds * 1000 < lastMs
      ? `<a href="#t=${seconds}" data-t="${seconds}">${written}</a>`
      : written;
  });
}
