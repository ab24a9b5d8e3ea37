import { ApiError } from '../api/errors.ts';
import type { Failure, SaveResult } from './draft-server.ts';

/**
 * The result of a save that the server refused; undefined: the request failed for another reason.
 */
export function refusalOf(error: unknown): SaveResult | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const { status, details, message } = error;
  if (status === 412) return { kind: 'conflict' };
  if (![400, 409, 413, 422].includes(status)) return undefined;
  const problems = Object.fromEntries(details.map((detail) => [detail.field, detail.message]));
  return { kind: 'refused', problems, message };
}

export function failureOf(error: unknown): Failure {
  if (!(error instanceof ApiError)) return { kind: 'busy' };
  if (error.status === 0) return { kind: 'offline' };
  if (error.status === 401) return { kind: 'signed-out' };
  if (error.status === 403) return { kind: 'forbidden' };
  if (error.status === 404 || error.status === 410) return { kind: 'gone' };
  const { retryAfterSeconds } = error;
  return { kind: 'busy', ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
}
