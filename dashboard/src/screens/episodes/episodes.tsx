import { Trans, useLingui } from '@lingui/react/macro';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { type EpisodeSort, type EpisodeStatus, episodesQuery } from '../../api/episodes.ts';
import { loadFailure } from '../../api/load-failure.ts';
import type { MyPodcast } from '../../api/podcasts.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loading } from '../../components/loading.tsx';
import { LoadingFailed } from '../../components/loading-failed.tsx';
import { Page } from '../../components/page.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { Select } from '../../components/select.tsx';
import { usePendingDeletions } from '../../deletions/deletions.ts';
import { useShow } from '../../shell/use-show.ts';
import { BulkBar } from './bulk-bar.tsx';
import { EpisodeTable } from './episode-table.tsx';
import styles from './episodes.module.css';
import { FirstStepsLater } from './first-steps-later.tsx';
import { NewEpisode } from './new-episode.tsx';
import { StatusFilter } from './status-filter.tsx';

const route = getRouteApi('/shows/$podcastId/episodes');

export function Episodes() {
  const { t } = useLingui();
  const { podcastId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const show = useShow(podcastId);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const deleted = usePendingDeletions();
  const filters = {
    q: search.q,
    status: search.status as EpisodeStatus | undefined,
    sort: search.sort as EpisodeSort | undefined,
  };
  const query = useInfiniteQuery({
    ...episodesQuery(podcastId, filters),
    placeholderData: keepPreviousData,
  });
  const { data, refetch } = query;
  const failure = loadFailure(query);
  const counts = data?.pages[0]?.counts;
  const episodes = useMemo(
    () => (data?.pages.flatMap((page) => page.data) ?? []).filter(({ id }) => !deleted.has(id)),
    [data, deleted],
  );
  const change = (part: Partial<typeof search>) => {
    setSelected(new Set());
    void navigate({ search: { ...search, ...part }, replace: true });
  };
  const capabilities = show?.capabilities;
  const may = useCallback(
    (capability: string) => capabilities?.includes(capability) === true,
    [capabilities],
  );
  const isFiltered = filters.q !== undefined || filters.status !== undefined;

  return (
    <Page
      title={t`Episodes`}
      within={show?.title}
      actions={may('episodes.create') && <NewEpisode podcastId={podcastId} />}
    >
      <FirstStepsLater podcastId={podcastId} may={may} />
      <div className={styles['tools']}>
        <SearchField
          label={t`Search episodes`}
          value={search.q ?? ''}
          onChange={(q) => change({ q: q === '' ? undefined : q })}
        />
        <Order
          value={filters.sort}
          onChange={(sort) => change({ sort: sort === 'newest' ? undefined : sort })}
        />
      </div>
      <StatusFilter
        counts={counts}
        value={filters.status}
        onChange={(status) => change({ status })}
      />
      {selected.size > 0 && (
        <BulkBar
          podcastId={podcastId}
          episodes={episodes.filter(({ id }) => selected.has(id))}
          may={may}
          onDone={() => setSelected(new Set())}
        />
      )}
      {data === undefined && failure === null && <Loading label={t`Loading episodes…`} />}
      {failure !== null && <LoadingFailed error={failure} retry={refetch} />}
      {data !== undefined && episodes.length === 0 && (
        <NoEpisodes {...{ podcastId, show, isFiltered, may }} />
      )}
      {episodes.length > 0 && (
        <EpisodeTable
          episodes={episodes}
          selected={selected}
          onSelect={setSelected}
          zone={show?.timezone}
          may={may}
          more={query}
        />
      )}
    </Page>
  );
}

interface NoEpisodesProps {
  readonly podcastId: string;
  readonly show: MyPodcast | undefined;
  readonly isFiltered: boolean;
  readonly may: (capability: string) => boolean;
}

/** Offers nothing that the person may not do. */
function NoEpisodes({ podcastId, show, isFiltered, may }: NoEpisodesProps) {
  const { t } = useLingui();
  if (isFiltered) return <EmptyState title={t`No episode matches`} />;
  if (show?.sees_all_episodes === false) {
    return (
      <EmptyState title={t`No episode credits you yet`}>
        <Trans>
          Your role sees the episodes that credit you. Being on the show's roster isn't enough. Ask
          someone on your team to credit you.
        </Trans>
      </EmptyState>
    );
  }
  if (!may('episodes.create')) return <EmptyState title={t`No episodes yet`} />;
  return (
    <EmptyState title={t`No episodes yet`} action={<NewEpisode podcastId={podcastId} />}>
      <Trans>Upload your first episode. Only you and your team see drafts.</Trans>
    </EmptyState>
  );
}

interface OrderProps {
  readonly value: EpisodeSort | undefined;
  readonly onChange: (sort: EpisodeSort) => void;
}

function Order({ value = 'newest', onChange }: OrderProps) {
  const { t } = useLingui();
  return (
    <Select<EpisodeSort>
      label={t`Order`}
      hidesLabel
      value={value}
      options={[
        { value: 'newest', label: t`Newest first` },
        { value: 'oldest', label: t`Oldest first` },
        { value: 'title', label: t`By title` },
        { value: 'number', label: t`By number` },
      ]}
      onChange={onChange}
    />
  );
}
