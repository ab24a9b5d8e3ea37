import { describe, expect, it } from 'vitest';
import { planFirstPublication, planPublication } from './plan-publication.ts';

const now = new Date('2026-03-10T12:00:00Z');
const past = new Date('2020-01-01T00:00:00Z');
const earlier = new Date('2019-01-01T00:00:00Z');
const nextMoment = new Date('2026-03-10T12:00:00.001Z');
const future = new Date('2030-01-01T00:00:00Z');
const later = new Date('2031-01-01T00:00:00Z');

const dated = (date: Date | undefined, isWaitingForAudio = false) => ({
  date,
  dateOrGuess: date,
  isWaitingForAudio,
});

describe('an item that was not imported before', () => {
  it.each([
    [dated(past), { kind: 'publish', at: past }],
    [dated(now), { kind: 'publish', at: now }],
    [dated(nextMoment), { kind: 'schedule', at: nextMoment }],
    [dated(future), { kind: 'schedule', at: future }],
    [dated(undefined), { kind: 'publish', at: undefined }],
    [dated(past, true), { kind: 'wait', at: past }],
    [dated(future, true), { kind: 'wait', at: future }],
    [
      { ...dated(undefined), dateOrGuess: past },
      { kind: 'publish', at: past },
    ],
    // A date of a neighbor that is still to come.
    [
      { ...dated(undefined), dateOrGuess: future },
      { kind: 'publish', at: now },
    ],
    [
      { ...dated(undefined, true), dateOrGuess: future },
      { kind: 'wait', at: now },
    ],
  ])('%o', (item, expected) => {
    expect(planFirstPublication(item, now)).toEqual(expected);
  });
});

describe('an episode that was imported before', () => {
  const never = { intendedPublishedAt: null };
  const published = {
    ...never,
    status: 'published',
    publishedAt: past,
    scheduledFor: null,
  } as const;
  const scheduled = {
    ...never,
    status: 'scheduled',
    publishedAt: null,
    scheduledFor: future,
  } as const;
  const pending = {
    status: 'pending_confirmation',
    publishedAt: null,
    intendedPublishedAt: past,
    scheduledFor: null,
  } as const;

  it.each([
    ['published, the same date', published, dated(past), undefined],
    ['published, another date', published, dated(earlier), { kind: 'publish', at: earlier }],
    ['published, in the future now', published, dated(future), undefined],
    ['published, no date', published, dated(undefined), undefined],
    ['scheduled, the same date', scheduled, dated(future), undefined],
    ['scheduled, later', scheduled, dated(later), { kind: 'schedule', at: later }],
    ['scheduled, out meanwhile', scheduled, dated(past), { kind: 'publish', at: past }],
    ['pending, its audio still to come', pending, dated(past, true), undefined],
    ['pending, its audio there', pending, dated(past), { kind: 'publish', at: past }],
    ['pending, a new date', pending, dated(future), { kind: 'schedule', at: future }],
    ['pending, no date', pending, dated(undefined), { kind: 'publish', at: past }],
    [
      'pending, the date of a neighbor',
      pending,
      { ...dated(undefined), dateOrGuess: earlier },
      { kind: 'publish', at: past },
    ],
    ['a draft', { ...published, status: 'draft' as const }, dated(earlier), undefined],
    ['archived', { ...published, status: 'archived' as const }, dated(earlier), undefined],
  ])('%s', (_name, known, item, expected) => {
    expect(planPublication(known, item, now)).toEqual(expected);
  });
});
