import { Trans } from '@lingui/react/macro';
import { ApiError, isOffline } from '../api/errors.ts';
import { useOnline } from '../offline/use-online.ts';

/** A failure in words: the cause, and the number to report. */
export function FailureText({ error }: { readonly error: unknown }) {
  if (isOffline(error)) {
    return <Trans>Can’t reach the server. Check your connection.</Trans>;
  }
  if (!(error instanceof ApiError)) return <Trans>Something went wrong in the app.</Trans>;
  const { message, requestId, status } = error;
  if (status < 500 || requestId === undefined) return message;
  return (
    <Trans>
      {message} If it happens again, report this number: {requestId}.
    </Trans>
  );
}

/** Why content could not be loaded. */
export function LoadFailureText({ error }: { readonly error: unknown }) {
  const isOnline = useOnline();
  if (isOnline || !isOffline(error)) return <FailureText error={error} />;
  return <Trans>You’re offline. This will load as soon as the connection is back.</Trans>;
}
