import { Trans } from '@lingui/react/macro';
import { Button } from './button.tsx';
import { LoadFailureText } from './failure-text.tsx';
import { Notice } from './notice.tsx';

/** Shown instead of content that could not be loaded: why, and a button to try again. */
export function LoadingFailed({
  error,
  retry,
}: {
  readonly error: unknown;
  readonly retry: () => void;
}) {
  return (
    <Notice
      tone="bad"
      action={
        <Button size="small" onPress={() => retry()}>
          <Trans>Try again</Trans>
        </Button>
      }
    >
      <LoadFailureText error={error} />
    </Notice>
  );
}
