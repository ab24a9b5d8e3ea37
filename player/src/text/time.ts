import { formatNumber } from './number.ts';

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
    .filter(([unit, value]) => value > 0 || (unit === 'second' && whole === 0))
    .map(([unit, value]) => formatNumber(value, language, unit))
    .join(' ');
}

/** Reads `90`, `1:30`, `1:02:03` as seconds; undefined for anything else. */
export function tryParseTime(text: string | null): number | undefined {
  const [all, hours = 0, minutes = 0, seconds] =
    /^(?:(?:(\d+):)?(\d+):)?(\d+(?:\.\d+)?)$/.exec(text ?? '') ?? [];
  if (all === undefined) return undefined;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}
