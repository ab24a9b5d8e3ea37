import { ApiError, hasReason } from '../api/errors.ts';

/**
 * What to do after a failure: wait and continue, send the rest of the file, send the file again, or
 * ask the person.
 */
export type NextStep = 'wait' | 'rest' | 'anew' | 'fail';

const noRoom = 507;

export function chooseNextStep(error: unknown, hasUrl: boolean): NextStep {
  if (!(error instanceof ApiError)) return 'fail';
  const { status } = error;
  if (status === 0 || status === 401 || status === 423) return 'wait';
  // Without an address, the server accepts no more uploads. Its response says if waiting helps.
  if (status === 429) return hasUrl || error.retryAfterSeconds !== undefined ? 'wait' : 'fail';
  if (status >= 500) return status === noRoom ? 'fail' : 'wait';
  if (hasReason(error, 'unfinished') || status === 409) return 'rest';
  // The upload has expired, or was damaged and removed.
  if (hasUrl && (status === 404 || status === 410)) return 'anew';
  return 'fail';
}

/** Whether the server would refuse the same file again, however often it is sent. */
export function isFileRefused({ status, details }: ApiError): boolean {
  // Another checksum means that the file was damaged on its way.
  return status === 400 && !details.some(({ reason }) => reason === 'checksum');
}
