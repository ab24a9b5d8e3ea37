import { describe, expect, it } from 'vitest';
import { type StoredDays, toCurve } from './curve.ts';

const stored: StoredDays = {
  id: 'an-episode',
  title: 'An episode',
  publishedOn: '2026-03-01',
  createdOn: '2026-02-20',
  statusChangedOn: '2026-03-01',
  firstDownloadOn: '2026-03-01',
  days: [
    [0, 5],
    [2, 3],
    [4, 2],
  ],
};

describe('a curve', () => {
  it.each([
    ['its fifth day is not over', '2026-03-04', { totals: [5, 5, 8, 8], soFar: 10 }],
    ['days after downloads are complete', '2026-03-07', { totals: [5, 5, 8, 8, 10, 10, 10] }],
    ['all days are complete', '2026-04-30', { totals: [5, 5, 8, 8, 10, 10, 10], soFar: null }],
    ['no day is complete', '2026-02-28', { totals: [], soFar: 10 }],
    ['the counting stopped before its publication', '2026-02-20', { totals: [], soFar: 10 }],
  ])('adds up its days if %s', (_, completeThrough, expected) => {
    expect(toCurve(stored, completeThrough, 7)).toMatchObject(expected);
  });

  it('a curve ends where it was asked to', () => {
    const { totals, soFar } = toCurve({ ...stored, days: [[0, 5]] }, '2026-03-20', 2);
    expect({ totals, soFar }).toEqual({ totals: [5, 5], soFar: null });
  });
});

describe('an episode', () => {
  it.each([
    ['published here', {}, null],
    ['scheduled long before', { statusChangedOn: '2026-02-21' }, null],
    ['that nobody heard on its first day', { firstDownloadOn: '2026-03-03' }, null],
    ['that nobody heard', { firstDownloadOn: null, days: [] }, null],
    [
      'imported later',
      { createdOn: '2026-03-05', statusChangedOn: '2026-03-05', firstDownloadOn: '2026-03-05' },
      'early_days_missing',
    ],
    [
      'imported later, with the logs of its old host',
      { createdOn: '2026-03-05', statusChangedOn: '2026-03-05' },
      null,
    ],
    ['published again after a pause', { statusChangedOn: '2026-03-09' }, 'republished'],
    ['with downloads from before its date', { firstDownloadOn: '2026-02-25' }, 'early_downloads'],
    [
      'imported as a draft and published later',
      { createdOn: '2026-03-05', statusChangedOn: '2026-03-09', firstDownloadOn: '2026-03-09' },
      'early_days_missing',
    ],
  ] as const)('%s: excluded for %s', (_, change, exclusionReason) => {
    expect(toCurve({ ...stored, ...change }, '2026-04-30', 7).exclusionReason).toBe(
      exclusionReason,
    );
  });
});
