import { Trans, useLingui } from '@lingui/react/macro';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type AccountNeed, homeQuery } from '../../api/home.ts';
import { loadFailure } from '../../api/load-failure.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Loading } from '../../components/loading.tsx';
import { LoadingFailed } from '../../components/loading-failed.tsx';
import { Notice, type Tone } from '../../components/notice.tsx';
import { OverageText } from '../../components/overage-text.tsx';
import { Page } from '../../components/page.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { UnsentEmails } from '../../components/unsent-emails.tsx';
import { formatDate } from '../../lib/format.ts';
import { readersZone } from '../../lib/time-zone.ts';
import styles from './home.module.css';
import { ShowCard } from './show-card.tsx';

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
      {isEmpty && <EmptyState title={t`No matching shows`} />}
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

/** The way of an empty account to its first show. */
function Welcome({ needs }: { readonly needs: readonly AccountNeed[] }) {
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
          Start a new one, or bring one here from another host with all its episodes, audio, covers
          and transcripts, without losing a subscriber.
        </Trans>
      </EmptyState>
    </Page>
  );
}

/** What the person should do about their account, above the shows. */
function AccountNeeds({ needs }: { readonly needs: readonly AccountNeed[] }) {
  return (
    <>
      {needs.map((need) => (
        <Notice
          key={need.kind + (need.key_id ?? need.site_id ?? need.import_id ?? '')}
          tone={toneOf(need)}
        >
          {describe(need)}
        </Notice>
      ))}
      {needs.some(({ kind }) => kind === 'email_not_confirmed') && <UnsentEmails />}
    </>
  );
}

function toneOf({ kind }: AccountNeed): Tone {
  const urgent = ['plan_lapsed', 'downloads_exceeded', 'terms_to_accept', 'backup_overdue'];
  return urgent.includes(kind) ? 'bad' : 'warn';
}

/** Keys and connections are of the account, so the days are in its owner's zone. */
const day = (moment: string | undefined) =>
  moment === undefined ? '' : formatDate(moment, readersZone());

function describe(need: AccountNeed): ReactNode {
  const { name = '', email = '', site_url: site = '' } = need;
  const expires = day(need.expires_at);
  switch (need.kind) {
    case 'terms_to_accept':
      return (
        <a href="/app/settings/terms">
          <Trans>The terms have changed. Read and accept them.</Trans>
        </a>
      );
    case 'backup_overdue':
      return (
        <Trans>
          This installation has had no backup for two days, although one should be made every day.
          The log of the service says why.
        </Trans>
      );
    case 'plan_lapsed':
      return (
        <Trans>
          Your plan has lapsed. Feeds stay public, but API keys and connected sites are paused.
        </Trans>
      );
    case 'downloads_near':
    case 'downloads_exceeded':
      return (
        <OverageText
          overage={{
            kind: need.kind,
            downloads: need.downloads ?? 0,
            monthly_downloads: need.monthly_downloads ?? 0,
            is_suspended: need.is_suspended ?? false,
            suspends_at: need.suspends_at ?? null,
            renews_on: need.renews_on ?? '',
          }}
        />
      );
    case 'email_not_confirmed':
      return <Trans>Open the link we sent to {email} to confirm your new email address.</Trans>;
    case 'key_expires':
      return (
        <a href="/app/settings/keys">
          <Trans>
            The key “{name}” expires on {expires}.
          </Trans>
        </a>
      );
    case 'site_expires':
      return (
        <a href="/app/settings/sites">
          <Trans>
            The connection to {site} expires on {expires}.
          </Trans>
        </a>
      );
    case 'import_failed':
      return (
        <a href={`/app/imports/${need.import_id}`}>
          <Trans>An import failed. See why.</Trans>
        </a>
      );
    default:
      return need.kind;
  }
}
