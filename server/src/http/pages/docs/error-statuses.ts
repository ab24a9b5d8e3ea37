import type { ErrorCode } from '../../errors.ts';

/** The statuses of each error code (ERR-7 to ERR-16). */
export const errorStatuses: Readonly<Record<ErrorCode, readonly number[]>> = {
  invalid_request: [400, 405, 412, 413, 415, 416],
  not_found: [404],
  unavailable: [403],
  unauthorized: [401],
  invalid_api_key: [401],
  insufficient_scope: [403],
  forbidden: [403],
  plan_upgrade_required: [403],
  rate_limited: [429],
  service_unavailable: [503],
  internal_error: [500],
  not_implemented: [501],
};
