import { isSqlError } from './sql-errors.ts';

/** Of the socket, and of PostgreSQL while it stops, starts or has no connection left. */
const codes = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND'],
  ...['57P01', '57P02', '57P03', '57P05', '53300', '55000', '3D000', '28000', '28P01'],
  ...['08000', '08001', '08003', '08004', '08006'],
]);

/** What pg and its pool say without a code of their own. */
const words =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|the embedded database stopped)/;

/** The database is not to be had at the moment: trying again shortly is the right advice. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  // Anything else that the database itself answered is our mistake, not its absence.
  return codes.has(code) || (!isSqlError(error) && words.test(error.message));
}
