import { expect, it } from 'vitest';
import { isTimeZone } from './time-zone.ts';

it.each(Intl.supportedValuesOf('timeZone'))('%s is a time zone', (name) => {
  expect(isTimeZone(name)).toBe(true);
});

const others = [
  'UTC',
  'utc',
  'GMT',
  'GMT+0',
  'EST5EDT',
  'CET',
  'GB-Eire',
  'W-SU',
  'europe/berlin',
  'Etc/GMT+12',
];
it.each([...others, 'Asia/Rangoon', 'America/Argentina/ComodRivadavia'])(
  '%s is a time zone, under an older name',
  (name) => {
    expect(isTimeZone(name)).toBe(true);
  },
);

// PostgreSQL reads these differently, or not at all.
const abbreviations = [
  'ACT',
  'AST',
  'BST',
  'CAT',
  'CST',
  'ECT',
  'IST',
  'PST',
  'SystemV/PST8',
  '+05:30',
  '+0530',
];
it.each([...abbreviations, '-01:00', 'UTC+1', '', 'Mars', 'Europe/', '/', 'Europe/Berlin\0'])(
  '"%s" is not a time zone',
  (name) => {
    expect(isTimeZone(name)).toBe(false);
  },
);
