import { describe, expect, it } from 'vitest';
import {
  describeZone,
  findClockChange,
  formatOffset,
  isKnownZone,
  offsetMinutes,
  readWallTime,
} from './time-zone.ts';

it.each([
  ['2027-01-15T12:00:00Z', 'Europe/Berlin', 60, 'UTC+1'],
  ['2027-07-15T12:00:00Z', 'Europe/Berlin', 120, 'UTC+2'],
  ['2027-01-15T12:00:00Z', 'America/St_Johns', -210, 'UTC-3:30'],
  ['2027-01-15T12:00:00Z', 'Asia/Kathmandu', 345, 'UTC+5:45'],
  ['2027-01-15T12:00:00Z', 'UTC', 0, 'UTC'],
])('offsetMinutes at %s in %s is %d', (moment, zone, minutes, text) => {
  expect(offsetMinutes(new Date(moment), zone)).toBe(minutes);
  expect(formatOffset(minutes)).toBe(text);
});

describe('the change of the clocks', () => {
  it('the change of the clocks is found in spring, to the minute', () => {
    expect(findClockChange(new Date('2027-03-28T09:00:00Z'), 'Europe/Berlin')).toEqual({
      at: new Date('2027-03-28T01:00:00Z'),
      before: 60,
      after: 120,
    });
  });

  it('the change of the clocks is found in autumn, also soon after the moment', () => {
    const change = findClockChange(new Date('2027-11-06T12:00:00Z'), 'America/New_York');
    expect(change).toEqual({ at: new Date('2027-11-07T06:00:00Z'), before: -240, after: -300 });
  });

  it('the change of the clocks is not found at other times, nor in zones without summer time', () => {
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

describe('a time on the clocks', () => {
  it.each([
    ['2027-03-27T02:30', 'Europe/Berlin', 'once', '2027-03-27T01:30:00.000Z'],
    ['2027-03-28T01:59', 'Europe/Berlin', 'once', '2027-03-28T00:59:00.000Z'],
    ['2027-03-28T02:00', 'Europe/Berlin', 'never', '2027-03-28T01:00:00.000Z'],
    ['2027-03-28T02:30', 'Europe/Berlin', 'never', '2027-03-28T01:30:00.000Z'],
    ['2027-03-28T03:00', 'Europe/Berlin', 'once', '2027-03-28T01:00:00.000Z'],
    ['2027-11-07T00:59', 'America/New_York', 'once', '2027-11-07T04:59:00.000Z'],
    ['2027-11-07T02:00', 'America/New_York', 'once', '2027-11-07T07:00:00.000Z'],
    // Lord Howe Island changes by half an hour.
    ['2027-10-03T02:15', 'Australia/Lord_Howe', 'never', '2027-10-02T15:45:00.000Z'],
    ['2027-07-01T12:00', 'Asia/Kathmandu', 'once', '2027-07-01T06:15:00.000Z'],
  ])('%s in %s occurs %s', (wall, zone, occurs, at) => {
    expect(readWallTime(new Date(`${wall}Z`), zone)).toEqual({ occurs, at: new Date(at) });
  });

  it.each([
    ['2027-10-31T02:00', 'Europe/Berlin', '2027-10-31T00:00:00Z', '2027-10-31T01:00:00Z'],
    ['2027-10-31T02:59', 'Europe/Berlin', '2027-10-31T00:59:00Z', '2027-10-31T01:59:00Z'],
    ['2027-11-07T01:30', 'America/New_York', '2027-11-07T05:30:00Z', '2027-11-07T06:30:00Z'],
  ])('%s in %s occurs twice, the earlier one first', (wall, zone, at, again) => {
    expect(readWallTime(new Date(`${wall}Z`), zone)).toEqual({
      occurs: 'twice',
      at: new Date(at),
      again: new Date(again),
    });
  });
});

it('knows the zones of the browser', () => {
  expect(isKnownZone('Europe/Kyiv')).toBe(true);
  expect(isKnownZone('Mars/Olympus')).toBe(false);
});
