import { Trans } from '@lingui/react/macro';
import { ApiError, isOffline } from '../api/errors.ts';

/** A failure in words: the cause, and the number to report. */
export function FailureText({ error }: { readonly error: unknown }) {
  if (isOffline(error)) {
    return <Trans>The server cannot be reached. Check your connection.</Trans>;
  }
  if (!(error instanceof ApiError)) return <Trans>The app made a mistake.</Trans>;
  const { message, requestId, status } = error;
  if (status < 500 || requestId === undefined) return message;
  return (
    <Trans>
      {message} Report the number {requestId} if it happens again.
    </Trans>
  );
}
