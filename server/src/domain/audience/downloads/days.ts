import { addDays, utcDayOf } from '../../../lib/utc-day.ts';

/** Evidence and secrets live for today and this many days before it; then only sums remain. */
export const revisableDays = 2;

/** The days with partitions and secrets of their own: those that can be revised, and tomorrow. */
export interface OpenDays {
  readonly first: string;
  readonly last: string;
}

export function openDays(now: Date): OpenDays {
  const today = utcDayOf(now);
  return { first: addDays(today, -revisableDays), last: addDays(today, 1) };
}

export function isOpen(day: string, { first, last }: OpenDays): boolean {
  return first <= day && day <= last;
}
