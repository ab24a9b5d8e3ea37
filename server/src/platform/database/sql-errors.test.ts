import pg from 'pg';
import { expect, test } from 'vitest';
import {
  isForeignKeyViolation,
  isSqlError,
  isStaleStatement,
  isTransactionConflict,
  isUniqueViolation,
} from './sql-errors.ts';

function sqlError(code: string, message = 'no', constraint?: string): pg.DatabaseError {
  const error = new pg.DatabaseError(message, message.length, 'error');
  return Object.assign(error, { code, severity: 'ERROR', constraint });
}

test.each([
  ['23505', isUniqueViolation],
  ['23503', isForeignKeyViolation],
])('%s is recognized, with and without a constraint', (code, isViolation) => {
  const error = sqlError(code, 'no', 'users_email');
  expect(isViolation(error)).toBe(true);
  expect(isViolation(error, 'users_email')).toBe(true);
  expect(isViolation(error, 'users_pkey')).toBe(false);
  expect(isViolation(sqlError('22001'))).toBe(false);
});

test.each([
  ['40001', true],
  ['40P01', true],
  ['23505', false],
  ['57014', false],
])('%s: should the transaction be repeated? %s', (code, expected) => {
  expect(isTransactionConflict(sqlError(code))).toBe(expected);
});

test.each([
  ['26000', 'prepared statement "x" does not exist', true],
  ['0A000', 'cached plan must not change result type', true],
  ['0A000', 'cannot do this', false],
])('%s "%s": is the statement stale? %s', (code, message, expected) => {
  expect(isStaleStatement(sqlError(code, message))).toBe(expected);
});

test.each([
  ['a broken line', Object.assign(new Error('reset'), { code: 'ECONNRESET' })],
  ['nothing', null],
  ['a text', '23505'],
  ['a code that is no text', { code: 23_505, severity: 'ERROR' }],
])('%s is not an error of the database', (_name, error) => {
  expect(isSqlError(error)).toBe(false);
  expect(isUniqueViolation(error)).toBe(false);
});
