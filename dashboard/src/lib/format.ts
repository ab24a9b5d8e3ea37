import { dateFormat, locale, numberFormat } from './formatters.ts';
import { readersZone } from './time-zone.ts';

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

/** `zone`: an IANA time zone; if the browser does not know it, the reader's own is used. */
export function formatDate(moment: string, zone: string): string {
  return zoned(zone, { dateStyle: 'medium' }).format(new Date(moment));
}

export function formatDateTime(moment: string, zone: string): string {
  return zoned(zone, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(moment));
}

/** `GMT+1`, `EST`: what the reader's language calls the zone at that moment. */
export function formatZone(moment: string, zone: string): string {
  const format = zoned(zone, { timeZoneName: 'short' });
  const parts = format.formatToParts(new Date(moment));
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone;
}

function zoned(zone: string, style: Intl.DateTimeFormatOptions) {
  try {
    return dateFormat({ ...style, timeZone: zone });
  } catch {
    return dateFormat({ ...style, timeZone: readersZone() });
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
