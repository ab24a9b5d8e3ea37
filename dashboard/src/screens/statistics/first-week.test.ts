import { expect, it } from 'vitest';
import { isFirstWeekOpen } from './first-week.ts';

it.each([
  ['2026-03-10', '2026-03-09', true],
  ['2026-03-10', '2026-03-10', true],
  ['2026-03-10', '2026-03-15', true],
  ['2026-03-10', '2026-03-16', false],
  ['2026-03-10', '2026-05-01', false],
  [null, '2026-03-16', false],
  ['2026-03-10', null, false],
])('says whether the first week is open: %s, counted through %s', (published, complete, isOpen) => {
  expect(isFirstWeekOpen(published, complete)).toBe(isOpen);
});
