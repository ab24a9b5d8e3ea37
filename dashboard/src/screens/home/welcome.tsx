import { Trans, useLingui } from '@lingui/react/macro';
import type { AccountNeed } from '../../api/home.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Page } from '../../components/page.tsx';
import { AccountNeeds } from './account-needs.tsx';

/** The way of an empty account to its first show. */
export function Welcome({ needs }: { readonly needs: readonly AccountNeed[] }) {
  const { t } = useLingui();
  return (
    <Page title={t`Welcome`}>
      <AccountNeeds needs={needs} />
      <EmptyState
        title={t`Your first show`}
        action={
          <LinkButton to="/new" kind="primary">
            <Trans>Add a show</Trans>
          </LinkButton>
        }
      >
        <Trans>
          Begin a new one, or bring one here from another host: with all its episodes, audio, covers
          and transcripts, and without losing a subscriber.
        </Trans>
      </EmptyState>
    </Page>
  );
}
