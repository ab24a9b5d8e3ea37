import { dateFormat, locale, numberFormat } from './formatters.ts';

/** Dates, numbers and lengths in the reader's own format. */

export function formatNumber(value: number): string {
  return numberFormat().format(value);
}

/** 122, 149 → 122–149 */
export function formatNumberRange(from: number, to: number): string {
  // Of equal numbers, the format would say that they are approximate.
  return from === to ? formatNumber(from) : numberFormat().formatRange(from, to);
}

/** 30, day → 30 days */
export function formatUnits(value: number, unit: 'day' | 'month'): string {
  return numberFormat({ style: 'unit', unit, unitDisplay: 'long' }).format(value);
}

/** A share as percent: 0.25 → 25 %. */
export function formatShare(value: number): string {
  return numberFormat({ style: 'percent', maximumFractionDigits: 1 }).format(value);
}

/** `zone`: an IANA time zone; without it, and if the browser does not know it, the reader's own. */
export function formatDate(moment: string, zone?: string): string {
  return formatIn(zone, { dateStyle: 'medium' }, moment);
}

export function formatDateTime(moment: string, zone?: string): string {
  return formatIn(zone, { dateStyle: 'medium', timeStyle: 'short' }, moment);
}

/** `GMT+1`, `EST`: what the reader's language calls the zone at that moment. */
export function formatZone(moment: string, zone: string): string {
  const format = zoned(zone, { timeZoneName: 'short' });
  const parts = format.formatToParts(new Date(moment));
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone;
}

function formatIn(
  zone: string | undefined,
  style: Intl.DateTimeFormatOptions,
  moment: string,
): string {
  return zoned(zone, style).format(new Date(moment));
}

function zoned(zone: string | undefined, style: Intl.DateTimeFormatOptions) {
  if (zone === undefined) return dateFormat(style);
  try {
    return dateFormat({ ...style, timeZone: zone });
  } catch {
    return dateFormat(style);
  }
}

/** 3725 → 1:02:05, 65 → 1:05. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes, rest] = [
    Math.floor(whole / 3600),
    Math.floor(whole / 60) % 60,
    whole % 60,
  ];
  const two = (value: number) => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

export function formatBytes(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(bytes) / 3));
  return numberFormat({
    style: 'unit',
    unit: units[power] ?? 'byte',
    // The short name of a byte has no plural in English.
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power === 0 ? 0 : 1,
  }).format(bytes / 1000 ** power);
}

/** DE → Germany; `region`: ISO 3166-1 alpha-2. */
export function formatRegion(region: string): string {
  try {
    return new Intl.DisplayNames(locale(), { type: 'region' }).of(region) ?? region;
  } catch {
    return region;
  }
}
