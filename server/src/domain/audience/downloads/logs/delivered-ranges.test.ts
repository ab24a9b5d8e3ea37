import { expect, it } from 'vitest';
import { deliveredRanges } from './delivered-ranges.ts';
import type { LogLine } from './log-line.ts';

const line: LogLine = {
  at: new Date(0),
  address: '203.0.113.7',
  method: 'GET',
  target: '/',
  status: 206,
  bodyBytes: 0,
  range: undefined,
  userAgent: undefined,
  referrer: undefined,
  isPrefetch: false,
};
const sizeBytes = 100_000;

/** `0-99`, with a question mark where the place is unknown. */
function delivered(changes: Partial<LogLine>): string {
  const { sent, isPlaceKnown } = deliveredRanges({ ...line, ...changes }, { sizeBytes });
  return sent.map(({ start, end }) => `${start}-${end}`).join(' ') + (isPlaceKnown ? '' : '?');
}

it.each<[string, Partial<LogLine>, string]>([
  ['a whole file', { status: 200, bodyBytes: 100_000 }, '0-99999'],
  ['the beginning of one', { status: 200, bodyBytes: 700, range: 'bytes=5-' }, '0-699'],
  ['more than the file has now', { status: 200, bodyBytes: 200_000 }, '0-99999'],
  ['nothing', { status: 200, bodyBytes: 0 }, ''],
  ['a range', { range: 'bytes=500-999', bodyBytes: 500 }, '500-999'],
  ['a range that broke off', { range: 'bytes=500-', bodyBytes: 500 }, '500-999'],
  ['the end', { range: 'bytes=-100', bodyBytes: 100 }, '99900-99999'],
  ['more than a range has', { range: 'bytes=0-9', bodyBytes: 500 }, '0-9'],
  ['no range that was logged', { range: undefined, bodyBytes: 500 }, '0-499?'],
  ['a range that is none', { range: 'lines=1', bodyBytes: 500 }, '0-499?'],
  ['a range behind the end', { range: 'bytes=200000-', bodyBytes: 500 }, '0-499?'],
  ['two ranges', { range: 'bytes=0-999, 5000-5999', bodyBytes: 2_600 }, '0-999 5000-5999'],
  ['two that broke off', { range: 'bytes=0-999,5000-5999', bodyBytes: 1_700 }, '0-999 5000-5187'],
  ['one of two', { range: 'bytes=0-999,5000-5999', bodyBytes: 1_200 }, '0-943'],
  ['a head alone', { range: 'bytes=0-999,5000-5999', bodyBytes: 200 }, ''],
  ['ranges that overlap', { range: 'bytes=0-999,500-1999', bodyBytes: 2_600 }, '0-2599?'],
  ['one range within the file', { range: 'bytes=0-99,200000-', bodyBytes: 100 }, '0-99?'],
  ['HEAD', { method: 'HEAD', status: 200, bodyBytes: 0 }, ''],
  ['a refusal', { status: 416, bodyBytes: 500 }, ''],
  ['a response that never began', { status: 499, bodyBytes: 0 }, ''],
])('a line tells what was sent: %s', (_, changes, sent) => {
  expect(delivered(changes)).toBe(sent);
});
