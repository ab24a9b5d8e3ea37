/** Rules of time zones, from the data that the browser has. */

/** For what only concerns the reader: their account, or when a task ran. Shows have their own. */
export const readersZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Minutes ahead of UTC at that moment. */
export function offsetMinutes(moment: Date, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    timeZoneName: 'longOffset',
  }).formatToParts(moment);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
}

/** 120 → `UTC+2`, -210 → `UTC-3:30`. */
export function formatOffset(minutes: number): string {
  if (minutes === 0) return 'UTC';
  const size = Math.abs(minutes);
  const rest = size % 60 === 0 ? '' : `:${String(size % 60).padStart(2, '0')}`;
  return `UTC${minutes < 0 ? '-' : '+'}${Math.floor(size / 60)}${rest}`;
}

/** `Europe/Berlin, UTC+2`: its name, and how far it is ahead; `UTC` is said once. */
export function describeZone(moment: Date, zone: string): string {
  const offset = formatOffset(offsetMinutes(moment, zone));
  return offset === zone ? zone : `${zone}, ${offset}`;
}

export interface ClockChange {
  /** The first moment of the new time. */
  readonly at: Date;
  readonly before: number;
  readonly after: number;
}

/** The change of the clocks within so many days before or after the moment. */
export function findClockChange(moment: Date, zone: string, days = 2): ClockChange | undefined {
  let early = moment.getTime() - days * dayMs;
  let late = moment.getTime() + days * dayMs;
  const before = offsetMinutes(new Date(early), zone);
  const after = offsetMinutes(new Date(late), zone);
  if (before === after) return undefined;
  while (late - early > minuteMs) {
    const middle = early + Math.floor((late - early) / 2 / minuteMs) * minuteMs;
    if (offsetMinutes(new Date(middle), zone) === before) early = middle;
    else late = middle;
  }
  return { at: new Date(late), before, after };
}

/** What a time on the clocks of a zone means. */
export type WallTime =
  | { readonly occurs: 'once'; readonly at: Date }
  /** The clocks skip it; `at` is as long after the change as it is after the time they skip from. */
  | { readonly occurs: 'never'; readonly at: Date }
  | { readonly occurs: 'twice'; readonly at: Date; readonly again: Date };

/** `wall`: the day and the time as if they were in UTC. */
export function readWallTime(wall: Date, zone: string): WallTime {
  const shifted = (minutes: number) => new Date(wall.getTime() - minutes * minuteMs);
  // The clocks change at most once within a day before and after.
  const before = offsetMinutes(new Date(wall.getTime() - dayMs), zone);
  const after = offsetMinutes(new Date(wall.getTime() + dayMs), zone);
  const [at, again] = [...new Set([before, after])]
    .filter((offset) => offsetMinutes(shifted(offset), zone) === offset)
    .map(shifted);
  if (at === undefined) return { occurs: 'never', at: shifted(before) };
  return again === undefined ? { occurs: 'once', at } : { occurs: 'twice', at, again };
}

/** False for a zone that the server knows and an older browser doesn't. */
export function isKnownZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }) !== undefined;
  } catch {
    return false;
  }
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
