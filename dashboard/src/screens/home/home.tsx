import { Trans, useLingui } from '@lingui/react/macro';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { homeQuery } from '../../api/home.ts';
import { loadFailure } from '../../api/load-failure.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Loading } from '../../components/loading.tsx';
import { LoadingFailed } from '../../components/loading-failed.tsx';
import { Page } from '../../components/page.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { AccountNeeds } from './account-needs.tsx';
import styles from './home.module.css';
import { ShowCard } from './show-card.tsx';
import { Welcome } from './welcome.tsx';

/** From so many shows on, a search field is shown. */
const searchableFrom = 9;

export function Home() {
  const { t } = useLingui();
  const [q, setQ] = useState('');
  const query = useInfiniteQuery({ ...homeQuery(q), placeholderData: keepPreviousData });
  const { data, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  const failure = loadFailure(query);
  const shows = data?.pages.flatMap((page) => page.data) ?? [];
  const needs = data?.pages[0]?.account_needs ?? [];
  const isOverageTold = needs.some(({ is_suspended: isSuspended }) => isSuspended === true);
  const isEmpty = data !== undefined && shows.length === 0;
  if (isEmpty && q === '') return <Welcome needs={needs} />;
  return (
    <Page
      title={t`My shows`}
      actions={
        <LinkButton to="/new">
          <Trans>Add a show</Trans>
        </LinkButton>
      }
    >
      <AccountNeeds needs={needs} />
      {data === undefined && failure === null && <Loading label={t`Loading your shows…`} />}
      {failure !== null && <LoadingFailed error={failure} retry={refetch} />}
      {(shows.length >= searchableFrom || q !== '') && (
        <SearchField label={t`Search my shows`} value={q} onChange={setQ} />
      )}
      {isEmpty && <EmptyState title={t`No show has this in its title`} />}
      <ul className={styles['grid']}>
        {shows.map((show) => (
          <ShowCard key={show.id} show={show} isOverageTold={isOverageTold} />
        ))}
      </ul>
      {hasNextPage && (
        <Button isPending={isFetchingNextPage} onPress={() => fetchNextPage()}>
          <Trans>More shows</Trans>
        </Button>
      )}
    </Page>
  );
}
