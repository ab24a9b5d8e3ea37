/** PostgreSQL's error fields: https://www.postgresql.org/docs/15/errcodes-appendix.html */
interface SqlError {
  readonly code: string;
  readonly severity: string;
  readonly constraint?: string | undefined;
}

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
const IN_FAILED_SQL_TRANSACTION = '25P02';
const LOCK_NOT_AVAILABLE = '55P03';
const FEATURE_NOT_SUPPORTED = '0A000';
const UNKNOWN_STATEMENT_NAME = '26000';

/** Whether a unique or primary key was violated; with a name, that one. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return isViolation(error, UNIQUE_VIOLATION, constraint);
}

export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  return isViolation(error, FOREIGN_KEY_VIOLATION, constraint);
}

/** A conflict with another transaction: a retry may succeed. */
export function isTransactionConflict(error: unknown): boolean {
  return (
    isSqlError(error) && (error.code === SERIALIZATION_FAILURE || error.code === DEADLOCK_DETECTED)
  );
}

/** A lock was not free within lock_timeout. */
export function isLockTimeout(error: unknown): boolean {
  return isSqlError(error) && error.code === LOCK_NOT_AVAILABLE;
}

/** Refused, because an earlier statement of the transaction has failed. */
export function isInFailedTransaction(error: unknown): boolean {
  return isSqlError(error) && error.code === IN_FAILED_SQL_TRANSACTION;
}

/** A prepared statement is gone, or outdated by a migration. Preparing it again is enough. */
export function isStaleStatement(error: unknown): boolean {
  if (!isSqlError(error)) return false;
  if (error.code === UNKNOWN_STATEMENT_NAME) return true;
  return (
    error.code === FEATURE_NOT_SUPPORTED &&
    error instanceof Error &&
    error.message.startsWith('cached plan must not change')
  );
}

/** True for errors from the database itself, false for connection errors. */
export function isSqlError(error: unknown): error is SqlError {
  return (
    typeof error === 'object' &&
    error !== null &&
    'severity' in error &&
    typeof error.severity === 'string' &&
    'code' in error &&
    typeof error.code === 'string'
  );
}

function isViolation(error: unknown, code: string, constraint: string | undefined): boolean {
  if (!isSqlError(error) || error.code !== code) return false;
  return constraint === undefined || error.constraint === constraint;
}
