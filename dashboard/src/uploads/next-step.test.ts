import { expect, it } from 'vitest';
import { ApiError } from '../api/errors.ts';
import { isFileRefused } from './next-step.ts';

it.each([
  [400, 'not_audio', true],
  [400, 'too_large', true],
  [400, undefined, true],
  [400, 'checksum', false],
  [403, undefined, false],
  [429, undefined, false],
  [507, undefined, false],
])('%i with the reason %j refuses the file itself: %j', (status, reason, expected) => {
  const details = reason === undefined ? [] : [{ field: 'upload_id', message: '', reason }];
  expect(isFileRefused(new ApiError({ status, code: 'x', message: '', details }))).toBe(expected);
});
