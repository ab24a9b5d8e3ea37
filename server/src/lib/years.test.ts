import { expect, it } from 'vitest';
import { findYear, startOfYear } from './years.ts';

it.each([
  ['UTC', '2024-01-01T00:00:00.000Z'],
  ['Europe/Berlin', '2023-12-31T23:00:00.000Z'],
  ['America/Los_Angeles', '2024-01-01T08:00:00.000Z'],
  ['Asia/Kathmandu', '2023-12-31T18:15:00.000Z'],
  ['Pacific/Kiritimati', '2023-12-31T10:00:00.000Z'],
])('the year 2024 begins in %s at %s', (timeZone, start) => {
  const moment = startOfYear(2024, timeZone);
  expect(moment.toISOString()).toBe(start);
  expect(findYear(moment, timeZone)).toBe(2024);
  expect(findYear(new Date(moment.getTime() - 1), timeZone)).toBe(2023);
});

it('a year of any number has a beginning', () => {
  for (const year of [1, 99, 1900, 9999]) {
    expect(findYear(startOfYear(year, 'Asia/Tokyo'), 'Asia/Tokyo')).toBe(year);
  }
});
