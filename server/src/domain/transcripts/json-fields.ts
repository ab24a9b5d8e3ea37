import { tryParseClock } from './cue-text.ts';

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Reads milliseconds from seconds, as a number or text, or from a clock time; otherwise undefined.
 */
export function tryReadTime(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value * 1000 : undefined;
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const seconds = Number(value);
  return Number.isFinite(seconds) ? seconds * 1000 : tryParseClock(value);
}
