/** The largest 32-bit number of milliseconds, 596 hours. Longer durations have a wrong unit. */
const MAX_DURATION_MS = 2 ** 31 - 1;

const SECONDS = /^\d{1,12}(?:\.\d{1,12})?$/;
const CLOCK = /^(?:(\d{1,4}):)?(\d{1,5}):(\d{1,2}(?:\.\d{1,12})?)$/;

/**
 * Reads an `itunes:duration` as feeds write it, in milliseconds: `3600`, `62:10`, `1:02:10`, each
 * with or without a fraction. Undefined for anything else.
 */
export function tryParseDuration(text: string): number | undefined {
  const trimmed = text.trim();
  const seconds = SECONDS.test(trimmed) ? Number(trimmed) : readClock(trimmed);
  if (seconds === undefined) return undefined;
  const durationMs = Math.round(seconds * 1000);
  return durationMs <= MAX_DURATION_MS ? durationMs : undefined;
}

/** `H:MM:SS`, rounded to seconds, for feeds and pages. */
export function formatDuration(durationMs: number): string {
  const seconds = Math.max(0, Math.round(durationMs / 1000));
  const twoDigits = (number: number): string => String(number).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  return `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`;
}

/** `HH:MM:SS.mmm`, with more digits for more hours. */
export function formatPlayTime(ms: number, point: '.' | ',' = '.'): string {
  const digits = (value: number, length = 2) => String(Math.floor(value)).padStart(length, '0');
  const seconds = `${digits((ms / 1000) % 60)}${point}${digits(ms % 1000, 3)}`;
  return `${digits(ms / 3_600_000)}:${digits((ms / 60_000) % 60)}:${seconds}`;
}

/** Some feeds write 90 minutes after an hour; the meaning is clear. */
function readClock(text: string): number | undefined {
  const match = CLOCK.exec(text);
  if (match === null) return undefined;
  const [, hours = '0', minutes, seconds] = match;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}
