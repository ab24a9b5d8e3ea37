import { expect, it } from 'vitest';
import { toFailure } from './error-handling.ts';

const answered = (code: string) =>
  Object.assign(new Error('of the database'), { severity: 'ERROR', code }) as never;

it.each(['40001', '40P01', '23503'])(
  'a conflict with another request (%s) may be tried again',
  (code) => {
    expect(toFailure(answered(code))).toMatchObject({
      status: 503,
      code: 'service_unavailable',
      headers: { 'Retry-After': '1' },
    });
  },
);

it('any other error of the database is an internal error, whose text is not sent', () => {
  expect(toFailure(answered('22021'))).toEqual({
    status: 500,
    code: 'internal_error',
    message: expect.not.stringContaining('database'),
  });
});
