import { Trans, useLingui } from '@lingui/react/macro';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError, isSignedOut } from '../api/errors.ts';
import { loadFailure } from '../api/load-failure.ts';
import { Button } from './button.tsx';
import { Deferred } from './deferred.tsx';
import { EmptyState } from './empty-state.tsx';
import { LoadFailureText } from './failure-text.tsx';
import { LinkButton } from './link-button.tsx';
import { Loading } from './loading.tsx';

interface Props<T> {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error' | 'failureReason' | 'refetch'>;
  readonly children: (data: T) => ReactNode;
}

/** Shows the data of a query, or that it is loading, or why it failed. Data that is there stays. */
export function QueryView<T>({ query, children }: Props<T>) {
  const { t } = useLingui();
  const { data, refetch } = query;
  const failure = loadFailure(query);
  if (data !== undefined) return <Deferred>{children(data)}</Deferred>;
  if (failure === null || isSignedOut(failure)) return <Loading label={t`Loading…`} />;
  if (failure instanceof ApiError && failure.status === 404) return <NothingHere />;
  return (
    <EmptyState
      title={t`Couldn’t load this`}
      action={<Button onPress={() => refetch()}>{t`Try again`}</Button>}
    >
      <LoadFailureText error={failure} />
    </EmptyState>
  );
}

interface NothingHereProps {
  readonly isPage?: boolean;
  /** Why, if more is known. */
  readonly children?: ReactNode;
}

/** Shown if something does not exist, or not for this person. */
export function NothingHere({ isPage = false, children }: NothingHereProps) {
  const { t } = useLingui();
  return (
    <EmptyState
      isPage={isPage}
      title={t`Not found`}
      action={
        <LinkButton to="/" kind="primary">
          <Trans>Go to my shows</Trans>
        </LinkButton>
      }
    >
      {children ?? <Trans>It may have been deleted, or you don't have access.</Trans>}
    </EmptyState>
  );
}
