import { Trans, useLingui } from '@lingui/react/macro';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { Button } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { FailureText } from '../components/failure-text.tsx';

/** A screen that failed: what happened, and another attempt. A release may have replaced its script. */
export function ScreenError({ error, reset }: ErrorComponentProps) {
  const { t } = useLingui();
  const isOldScript = /dynamically imported module|Importing a module/i.test(String(error));
  return (
    <EmptyState
      title={isOldScript ? t`A new version of the app is available` : t`Something went wrong`}
      action={
        <Button kind="primary" onPress={isOldScript ? () => window.location.reload() : reset}>
          {isOldScript ? <Trans>Reload</Trans> : <Trans>Try again</Trans>}
        </Button>
      }
    >
      {!isOldScript && <FailureText error={error} />}
    </EmptyState>
  );
}
