import { isSqlError } from '../sql-errors.ts';

/**
 * Socket errors, and PostgreSQL while it stops, starts, has no free connection, has closed ours, or
 * has become a read-only standby.
 */
const codes = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND'],
  ...['57P01', '57P02', '57P03', '57P05', '53300', '55000', '3D000', '28000', '28P01'],
  ...['25P03', '25006', '58030'],
]);

/** Class 08 of PostgreSQL's codes: connection exceptions. */
const connectionClass = /^08[0-9A-Z]{3}$/;

/** Messages of pg and its pool that have no code. */
const words = new RegExp(
  [
    '^(?:Connection terminated',
    'Client has encountered a connection error',
    'Client was closed',
    'Cannot use a pool after calling end',
    'timeout exceeded when trying to connect',
    'timeout expired',
    'Query read timeout',
    'no response from the database',
    'the embedded database stopped)',
  ].join('|'),
);

/** Canceled by statement_timeout or lock_timeout. */
const timeoutCodes = new Set(['57014', '55P03']);

/** Whether the database is unavailable for now, so that a retry makes sense. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  if (codes.has(code) || connectionClass.test(code)) return true;
  // Other errors that the database itself reports are bugs, not outages.
  return !isSqlError(error) && words.test(error.message);
}

/** A statement exceeded its time limit; others may succeed. */
export function isStatementTimeout(error: unknown): boolean {
  return isSqlError(error) && timeoutCodes.has(error.code);
}
