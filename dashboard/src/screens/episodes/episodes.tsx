import { Trans, useLingui } from '@lingui/react/macro';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { lazy, Suspense, useCallback, useId, useMemo, useState } from 'react';
import { type EpisodeSort, type EpisodeStatus, episodesQuery } from '../../api/episodes.ts';
import { loadFailure } from '../../api/load-failure.ts';
import type { MyPodcast } from '../../api/podcasts.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loading } from '../../components/loading.tsx';
import { LoadingFailed } from '../../components/loading-failed.tsx';
import { Page } from '../../components/page.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { Select } from '../../components/select.tsx';
import { useStatusNames } from '../../components/status-badge.tsx';
import { usePendingDeletions } from '../../deletions/deletions.ts';
import { formatNumber } from '../../lib/format.ts';
import { useWish } from '../../shell/screen-actions.ts';
import { useShow, useShowZone } from '../../shell/use-show.ts';
import { BulkBar } from './bulk-bar.tsx';
import { EpisodeTable } from './episode-table.tsx';
import styles from './episodes.module.css';

const route = getRouteApi('/shows/$podcastId/episodes');

export function Episodes() {
  const { t } = useLingui();
  const { podcastId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const show = useShow(podcastId);
  const zone = useShowZone(podcastId);
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
  const may = show?.may;
  const isFiltered = filters.q !== undefined || filters.status !== undefined;
  // There is nothing to find or to sort.
  const isNew = counts !== undefined && countAll(counts) === 0 && !isFiltered;

  return (
    <Page
      title={t`Episodes`}
      within={show?.title}
      actions={may?.create_episodes === true && <NewEpisode podcastId={podcastId} />}
    >
      {may?.first_steps === true && <FirstStepsLater podcastId={podcastId} />}
      {!isNew && (
        <>
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
        </>
      )}
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
        <NoEpisodes {...{ podcastId, show, isFiltered }} />
      )}
      {episodes.length > 0 && (
        <EpisodeTable
          episodes={episodes}
          selected={selected}
          onSelect={setSelected}
          zone={zone}
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
}

/** Offers nothing that the person may not do. */
function NoEpisodes({ podcastId, show, isFiltered }: NoEpisodesProps) {
  const { t } = useLingui();
  if (isFiltered) return <EmptyState title={t`No matching episodes`} />;
  if (show?.sees_all_episodes === false) {
    return (
      <EmptyState title={t`No episodes credit you yet`}>
        <Trans>
          Your role can only see episodes that credit you. Being on the show’s roster isn’t enough.
          Ask someone on your team to credit you.
        </Trans>
      </EmptyState>
    );
  }
  if (show?.may.create_episodes !== true) return <EmptyState title={t`No episodes yet`} />;
  return (
    <EmptyState title={t`No episodes yet`} action={<NewEpisode podcastId={podcastId} />}>
      <Trans>Upload your first episode. Only you and your team can see drafts.</Trans>
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
      label={t`Sort order`}
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

const FirstSteps = lazy(() => import('./first-steps.tsx'));

/** The list does not wait for them. */
function FirstStepsLater({ podcastId }: { readonly podcastId: string }) {
  return (
    <Suspense>
      <FirstSteps key={podcastId} podcastId={podcastId} />
    </Suspense>
  );
}

const NewEpisodeForm = lazy(() => import('./new-episode-form.tsx'));

/** Asks for the title, because the address and the file names of an episode come from it. */
function NewEpisode({ podcastId }: { readonly podcastId: string }) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const open = useCallback(() => setOpen(true), []);
  useWish('new-episode', open);
  return (
    <>
      <Button kind="primary" onPress={open}>
        <Plus size={18} aria-hidden="true" />
        <Trans>New episode</Trans>
      </Button>
      <Dialog isOpen={isOpen} title={t`New episode`} onClose={() => setOpen(false)}>
        <NewEpisodeForm podcastId={podcastId} />
      </Dialog>
    </>
  );
}

interface StatusFilterProps {
  readonly counts: Readonly<Record<EpisodeStatus, number>> | undefined;
  readonly value: EpisodeStatus | undefined;
  readonly onChange: (status: EpisodeStatus | undefined) => void;
}

const order: readonly EpisodeStatus[] = [
  'published',
  'scheduled',
  'draft',
  'pending_confirmation',
  'archived',
];

const countAll = (counts: StatusFilterProps['counts']): number =>
  Object.values(counts ?? {}).reduce((sum, count) => sum + count, 0);

/** All, or the episodes of one status, with how many there are of each. */
function StatusFilter({ counts, value, onChange }: StatusFilterProps) {
  const { t } = useLingui();
  const names = useStatusNames();
  const group = useId();
  const shown = order.filter((status) => status === value || (counts?.[status] ?? 0) > 0);
  const choices = [
    { status: undefined, name: t`All`, count: countAll(counts) },
    ...shown.map((status) => ({ status, name: names[status], count: counts?.[status] ?? 0 })),
  ];
  return (
    <div role="radiogroup" aria-label={t`Status`} className={styles['filter']}>
      {choices.map(({ status, name, count }) => (
        <label key={status ?? 'all'} className={styles['choice']}>
          <input
            type="radio"
            name={group}
            checked={status === value}
            onChange={() => onChange(status)}
          />
          {name} <span className="meta">{formatNumber(count)}</span>
        </label>
      ))}
    </div>
  );
}
