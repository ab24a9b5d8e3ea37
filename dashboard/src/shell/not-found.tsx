import { Trans, useLingui } from '@lingui/react/macro';
import { EmptyState } from '../components/empty-state.tsx';
import { LinkButton } from '../components/link-button.tsx';
import { useTitle } from '../lib/use-title.ts';

export function NotFound() {
  const { t } = useLingui();
  useTitle(t`Not found`);
  return (
    <EmptyState
      title={t`There is nothing here`}
      action={
        <LinkButton to="/" kind="primary">
          <Trans>To my shows</Trans>
        </LinkButton>
      }
    >
      <Trans>It may have been deleted, or you may not see it with this account.</Trans>
    </EmptyState>
  );
}
