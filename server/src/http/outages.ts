import { BlobStoreAwayError } from '../platform/blob-store/blob-store.ts';
import { DiskReserveError } from '../platform/blob-store/disk-room.ts';
import { isDatabaseAway, isStatementTimeout } from '../platform/database/database-away.ts';
import { isForeignKeyViolation, isTransactionConflict } from '../platform/database/sql-errors.ts';
import { isDiskFull } from '../platform/disk-full.ts';
import type { HttpFailure } from './errors.ts';

interface Outage {
  readonly is: (error: unknown) => boolean;
  readonly message: string;
  readonly retryAfterSeconds: number;
}

const outages: readonly Outage[] = [
  {
    is: isTransactionConflict,
    message: 'Too much changed at the same moment; nothing was done. Try again shortly.',
    retryAfterSeconds: 1,
  },
  {
    // What a request has just found was removed before it could refer to it.
    is: isForeignKeyViolation,
    message: 'Something was removed at the same moment; nothing was done. Try again shortly.',
    retryAfterSeconds: 1,
  },
  {
    is: isStatementTimeout,
    message: 'The database is too busy at the moment. Try again shortly.',
    retryAfterSeconds: 5,
  },
  {
    is: (error) => error instanceof DiskReserveError,
    message: 'The service has no room for this file. Its operators have to make some.',
    retryAfterSeconds: 60,
  },
  {
    is: isDiskFull,
    message: 'The service has no room left to save anything. Its operators have to make some.',
    retryAfterSeconds: 60,
  },
  {
    is: (error) => error instanceof BlobStoreAwayError,
    message: 'The service cannot reach its files at the moment.',
    retryAfterSeconds: 5,
  },
  {
    is: isDatabaseAway,
    message: 'The service cannot reach its database at the moment.',
    retryAfterSeconds: 5,
  },
];

/** The 503 for a temporary error, after which the same request can succeed; else undefined. */
export function outageFailure(error: unknown): HttpFailure | undefined {
  const outage = outages.find(({ is }) => is(error));
  if (outage === undefined) return undefined;
  const headers = { 'Retry-After': String(outage.retryAfterSeconds) };
  return { status: 503, code: 'service_unavailable', message: outage.message, headers };
}
