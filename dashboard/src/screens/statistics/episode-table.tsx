import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  type AnalyticsMeta,
  type EpisodeAnalytics,
  episodeAnalyticsQuery,
  type Range,
} from '../../api/analytics.ts';
import { Button } from '../../components/button.tsx';
import { Moment } from '../../components/moment.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { writeCsv } from '../../lib/csv.ts';
import { formatNumber } from '../../lib/format.ts';
import { fileNameAbout, saveFile } from '../../lib/save-file.ts';
import { useShowZone } from '../../shell/use-show.ts';
import styles from './statistics.module.css';
import { useFileSubject } from './use-file-subject.ts';

/** Each episode with its figures; those that are loaded can be sorted. */
export function EpisodeTable({
  podcastId,
  range,
}: {
  readonly podcastId: string;
  readonly range: Range;
}) {
  const query = useInfiniteQuery(episodeAnalyticsQuery(podcastId, range));
  return (
    <section className={styles['part']} aria-labelledby="episodes">
      <h2 id="episodes">
        <Trans>Episodes</Trans>
      </h2>
      <QueryView query={query}>
        {({ pages }) =>
          pages[0] !== undefined && (
            <Rows
              podcastId={podcastId}
              episodes={pages.flatMap(({ data }) => data)}
              meta={pages[0].meta}
              hasMore={query.hasNextPage}
            />
          )
        }
      </QueryView>
      {query.hasNextPage && (
        <Button isPending={query.isFetchingNextPage} onPress={() => query.fetchNextPage()}>
          <Trans>More episodes</Trans>
        </Button>
      )}
    </section>
  );
}

interface RowsProps {
  readonly podcastId: string;
  readonly episodes: readonly EpisodeAnalytics[];
  readonly meta: AnalyticsMeta;
  /** Older ones are not loaded yet. */
  readonly hasMore: boolean;
}

function Rows({ podcastId, episodes, meta, hasMore }: RowsProps) {
  const { t } = useLingui();
  const zone = useShowZone(podcastId);
  const subject = useFileSubject(meta.range);
  const [sorted, setSorted] = useState<Column>('published_at');
  const columns: readonly Named[] = [
    { column: 'title', label: t`Title` },
    { column: 'published_at', label: t`Published` },
    { column: 'downloads', label: t`In this range` },
    { column: 'first_7_days_downloads', label: t`First 7 days` },
    { column: 'all_time_downloads', label: t`All time` },
  ];
  const rows = episodes.toSorted((a, b) => compareEpisodes(a, b, sorted));
  const save = () => {
    const head = [...columns.map(({ label }) => label), t`First 7 days complete`];
    const table = rows.map((episode) => [
      ...columns.map(({ column }) => episode[column]),
      episode.is_first_week_complete === true ? t`Yes` : t`No`,
    ]);
    const text = writeCsv([head, ...table]);
    saveFile(fileNameAbout(subject, t`Episodes`, 'csv'), new Blob([text], { type: 'text/csv' }));
  };
  return (
    <>
      <div className="sideways">
        <table className={styles['episodes']}>
          <Head columns={columns} sorted={sorted} onSort={setSorted} />
          <tbody>
            {rows.map((episode) => (
              <Row key={episode.episode_id} {...{ podcastId, episode, zone }} />
            ))}
          </tbody>
        </table>
      </div>
      {hasMore && sorted !== 'published_at' && (
        <p className="meta">
          <Plural
            value={rows.length}
            one="Only the newest episode is sorted: load more to sort them too."
            other="Only the newest # episodes are sorted: load more to sort them too."
          />
        </p>
      )}
      <div className={styles['save']}>
        <Button size="small" kind="quiet" onPress={save}>
          <Trans>Save the episodes as CSV</Trans>
        </Button>
      </div>
    </>
  );
}

interface Named {
  readonly column: Column;
  readonly label: string;
}

interface HeadProps {
  readonly columns: readonly Named[];
  readonly sorted: Column;
  readonly onSort: (column: Column) => void;
}

function Head({ columns, sorted, onSort }: HeadProps) {
  const orderOf = (column: Column) => (column === 'title' ? 'ascending' : 'descending');
  return (
    <thead>
      <tr>
        {columns.map(({ column, label }) => (
          <th
            key={column}
            scope="col"
            className={column === 'published_at' ? styles['wide'] : undefined}
            aria-sort={column === sorted ? orderOf(column) : 'none'}
          >
            <button type="button" onClick={() => onSort(column)}>
              {label}
            </button>
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface RowProps {
  readonly podcastId: string;
  readonly episode: EpisodeAnalytics;
  readonly zone: string;
}

function Row({ podcastId, episode, zone }: RowProps) {
  const { episode_id: episodeId, title, published_at: publishedAt } = episode;
  return (
    <tr>
      <th scope="row" dir="auto">
        <Link
          to="/shows/$podcastId/statistics/episodes/$episodeId"
          params={{ podcastId, episodeId }}
        >
          {title}
        </Link>
      </th>
      <td className={styles['wide']}>
        {publishedAt === null ? '–' : <Moment of={publishedAt} zone={zone} day />}
      </td>
      <td>{formatNumber(episode.downloads)}</td>
      <td>
        {formatNumber(episode.first_7_days_downloads)}
        {episode.is_first_week_complete === false && (
          <span className="meta">
            {' '}
            <Trans>so far</Trans>
          </span>
        )}
      </td>
      <td>{formatNumber(episode.all_time_downloads)}</td>
    </tr>
  );
}

type Column =
  | 'title'
  | 'published_at'
  | 'downloads'
  | 'first_7_days_downloads'
  | 'all_time_downloads';

/** Figures from the highest, dates from the newest (none stands last), titles from A. */
function compareEpisodes(
  a: Pick<EpisodeAnalytics, Column>,
  b: Pick<EpisodeAnalytics, Column>,
  column: Column,
): number {
  if (column === 'title') return a.title.localeCompare(b.title);
  if (column === 'published_at') {
    return (b.published_at ?? '').localeCompare(a.published_at ?? '');
  }
  return b[column] - a[column];
}
