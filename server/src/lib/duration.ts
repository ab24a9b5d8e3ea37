/** What a 32-bit count of milliseconds holds, 596 hours: longer ones are mistakes of unit. */
const MAX_DURATION_MS = 2 ** 31 - 1;

const SECONDS = /^\d{1,12}(?:\.\d{1,12})?$/;
const CLOCK = /^(?:(\d{1,4}):)?(\d{1,5}):(\d{1,2}(?:\.\d{1,12})?)$/;

/**
 * Reads an `itunes:duration` as feeds really write it, in milliseconds: `3600`, `62:10`, `1:02:10`,
 * each with or without a fraction of a second. Undefined for anything else.
 */
export function tryParseDuration(text: string): number | undefined {
  const trimmed = text.trim();
  const seconds = SECONDS.test(trimmed) ? Number(trimmed) : readClock(trimmed);
  if (seconds === undefined) return undefined;
  const durationMs = Math.round(seconds * 1000);
  return durationMs <= MAX_DURATION_MS ? durationMs : undefined;
}

/** `H:MM:SS`, to the nearest second, for feeds and pages; nothing is shorter than `0:00:00`. */
export function formatDuration(durationMs: number): string {
  const seconds = Math.max(0, Math.round(durationMs / 1000));
  const twoDigits = (number: number): string => String(number).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  return `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`;
}

/** Some write 90 minutes behind an hour, which can only mean one thing. */
function readClock(text: string): number | undefined {
  const match = CLOCK.exec(text);
  if (match === null) return undefined;
  const [, hours = '0', minutes, seconds] = match;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}
