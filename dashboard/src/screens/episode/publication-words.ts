import { locale } from '../../lib/formatters.ts';

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** `in 3 days`, `2 hours ago`. */
export function formatDistance(moment: Date, now = new Date()): string {
  const format = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' });
  const distance = moment.getTime() - now.getTime();
  const [unit, size] = units.find(([, length]) => Math.abs(distance) >= length) ?? [
    'minute',
    60_000,
  ];
  return format.format(Math.round(distance / size), unit);
}
