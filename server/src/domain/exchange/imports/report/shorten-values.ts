import { shorten } from '../../../../lib/shorten.ts';

/** The most characters of a title, a URL or another value in a report. */
const reportedChars = 200;
/** The most of a sentence, which may name several of them. */
const reportedMessageChars = 2_000;

/** The value with its texts shortened, at any depth; a `message` may be longer. */
export function shortenValues<T>(value: T, mostChars = reportedChars): T {
  if (typeof value === 'string') return shorten(value, mostChars) as T;
  if (Array.isArray(value)) return value.map((each: unknown) => shortenValues(each)) as T;
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  const entries = Object.entries(value).map(([name, each]) => [
    name,
    shortenValues(each, name === 'message' ? reportedMessageChars : reportedChars),
  ]);
  return Object.fromEntries(entries) as T;
}
