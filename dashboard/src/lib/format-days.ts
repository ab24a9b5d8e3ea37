import { dateFormat, numberFormat } from './formatters.ts';

/** UTC days, `YYYY-MM-DD`, and changes of figures, in the reader's own format. */

const write = (days: readonly string[], options: Intl.DateTimeFormatOptions): string => {
  const format = dateFormat({ ...options, timeZone: 'UTC' });
  const [from = '', to] = days;
  return to === undefined || to === from
    ? format.format(new Date(from))
    : format.formatRange(new Date(from), new Date(to));
};

/** 2026-03-09 → 9 March 2026 */
export const formatDay = (day: string): string => write([day], { dateStyle: 'long' });

/** With its day of the week, for lists of days. */
export const formatWeekday = (day: string): string =>
  write([day], { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });

/** 9 Mar */
export const formatShortDay = (day: string): string =>
  write([day], { day: 'numeric', month: 'short' });

/** March 2026 */
export const formatMonth = (day: string): string =>
  write([day], { month: 'long', year: 'numeric' });

export const formatShortMonth = (day: string): string =>
  write([day], { month: 'short', year: '2-digit' });

/** 1 – 9 March 2026 */
export const formatDays = (from: string, to: string): string =>
  write([from, to], { dateStyle: 'long' });

/** 0.25 → +25 %; small changes have a decimal. */
export function formatChange(value: number): string {
  return numberFormat({
    style: 'percent',
    signDisplay: 'exceptZero',
    maximumFractionDigits: Math.abs(value) < 0.1 ? 1 : 0,
  }).format(value);
}

/** 12,034 → 12 thousand, as short as the reader's language has it. */
export function formatCompact(value: number): string {
  return numberFormat({ notation: 'compact' }).format(value);
}
