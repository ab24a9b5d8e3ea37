import { formatAmount } from './amount.ts';

/** `2:03`, `1:02:03`: a position, rounded down to seconds. */
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(whole / 60) % 60;
  const hours = Math.floor(whole / 3600);
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(whole % 60)}`;
}

/** "1 hour 2 minutes 3 seconds" in the language, for screen readers. */
export function formatSpoken(seconds: number, language: string): string {
  const whole = Math.max(0, Math.floor(seconds));
  const parts = [
    ['hour', Math.floor(whole / 3600)],
    ['minute', Math.floor(whole / 60) % 60],
    ['second', whole % 60],
  ] as const;
  return parts
    .filter(([unit, value]) => value || (unit === 'second' && !whole))
    .map(([unit, value]) => formatAmount(value, unit, language))
    .join(' ');
}

/**
 * The day of a moment where the show is, and the zone's name to readers for whom it is another day.
 */
export function formatDay(
  moment: string,
  locale: string,
  zone: string,
  readersZone?: string,
): string {
  const write = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, options).format(new Date(moment));
  const own = write({ dateStyle: 'medium', timeZone: readersZone });
  try {
    const day = write({ dateStyle: 'medium', timeZone: zone });
    const short = { year: 'numeric', month: 'short', day: 'numeric' } as const;
    return day === own ? day : write({ ...short, timeZone: zone, timeZoneName: 'short' });
  } catch {
    // The browser does not know the zone.
    return own;
  }
}

/** Reads `90`, `1:30`, `1:02:03` as seconds; undefined for anything else. */
export function tryParseTime(text: string | null): number | undefined {
  const [all, hours = 0, minutes = 0, seconds] =
    /^(?:(?:(\d+):)?(\d+):)?(\d+(?:\.\d+)?)$/.exec(text ?? '') ?? [];
  if (all === undefined) return undefined;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}
