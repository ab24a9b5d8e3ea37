import { describe, expect, it } from 'vitest';
import { describeZone, findClockChange, formatOffset, offsetMinutes } from './time-zone.ts';

it.each([
  ['2027-01-15T12:00:00Z', 'Europe/Berlin', 60, 'UTC+1'],
  ['2027-07-15T12:00:00Z', 'Europe/Berlin', 120, 'UTC+2'],
  ['2027-01-15T12:00:00Z', 'America/St_Johns', -210, 'UTC-3:30'],
  ['2027-01-15T12:00:00Z', 'Asia/Kathmandu', 345, 'UTC+5:45'],
  ['2027-01-15T12:00:00Z', 'UTC', 0, 'UTC'],
])('at %s the clocks of %s are %d minutes ahead', (moment, zone, minutes, text) => {
  expect(offsetMinutes(new Date(moment), zone)).toBe(minutes);
  expect(formatOffset(minutes)).toBe(text);
});

describe('the change of the clocks', () => {
  it('is found in spring, to the minute', () => {
    expect(findClockChange(new Date('2027-03-28T09:00:00Z'), 'Europe/Berlin')).toEqual({
      at: new Date('2027-03-28T01:00:00Z'),
      before: 60,
      after: 120,
    });
  });

  it('is found in autumn, also soon after the moment', () => {
    const change = findClockChange(new Date('2027-11-06T12:00:00Z'), 'America/New_York');
    expect(change).toEqual({ at: new Date('2027-11-07T06:00:00Z'), before: -240, after: -300 });
  });

  it('is not found at other times, nor in zones without summer time', () => {
    expect(findClockChange(new Date('2027-05-01T12:00:00Z'), 'Europe/Berlin')).toBeUndefined();
    expect(findClockChange(new Date('2027-03-28T09:00:00Z'), 'Asia/Tokyo')).toBeUndefined();
  });
});

it.each([
  ['Europe/Berlin', 'Europe/Berlin, UTC+2'],
  ['UTC', 'UTC'],
  ['Europe/London', 'Europe/London, UTC+1'],
])('%s is named once', (zone, name) => {
  expect(describeZone(new Date('2027-07-15T12:00:00Z'), zone)).toBe(name);
});
