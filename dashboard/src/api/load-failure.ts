import type { UseQueryResult } from '@tanstack/react-query';

/**
 * Why the data of a query is not there, also while it is tried again: people learn it after the
 * first attempt, and not after the last one. Null: nothing has failed.
 */
export function loadFailure({
  data,
  error,
  failureReason,
}: Pick<UseQueryResult<unknown>, 'data' | 'error' | 'failureReason'>): Error | null {
  return error ?? (data === undefined ? failureReason : null);
}
