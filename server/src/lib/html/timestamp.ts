/** `1:02:03` or `12:05` in text, but not as part of a longer number, a date or a URL. */
const timestamp =
  /(?<![\w:./,+])(?:(\d{1,2}):)?([0-5]?\d):([0-5]\d)(?![\w:/]|[.,]\d|\s?(?:[ap]\.?m\b|uhr\b|utc|gmt|c?est\b|cet\b))/giu;

export interface Timestamp {
  /** Where it begins in the text, in UTF-16 units. */
  readonly index: number;
  readonly text: string;
  readonly seconds: number;
}

/** Finds the times in a text that may be positions in audio, in order, as they are read. */
export function* findTimestamps(text: string): Generator<Timestamp> {
  for (const match of text.matchAll(timestamp)) {
    const [written, hours = '0', minutes = '0', rest = '0'] = match;
    const seconds = Number(hours) * 3600 + Number(minutes) * 60 + Number(rest);
    yield { index: match.index, text: written, seconds };
  }
}
