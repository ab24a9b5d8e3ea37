import { Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type PlatformFigures, type PlatformSource, platformQuery } from '../../api/platforms.ts';
import { Button } from '../../components/button.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { writeCsv } from '../../lib/csv.ts';
import { formatDateTime, formatNumber } from '../../lib/format.ts';
import { formatDay } from '../../lib/format-days.ts';
import { fileNameOf, saveFile } from '../../lib/save-file.ts';
import { readersZone } from '../../lib/time-zone.ts';
import { ImportFile } from './import-file.tsx';
import styles from './statistics.module.css';
import { StatisticsPage } from './statistics-page.tsx';
import { Totals } from './totals.tsx';
import { useMetrics } from './use-metrics.ts';

/** Figures of other platforms, as they count. */
export function Platforms() {
  const { t } = useLingui();
  const { podcastId = '' } = useParams({ strict: false });
  return (
    <StatisticsPage podcastId={podcastId} title={t`Other platforms`}>
      <p className={styles['intro']}>
        <Trans>
          Apple and Spotify count plays and followers in their own apps. Import the files they let
          you export; we show the figures next to your downloads and never add them together.
        </Trans>{' '}
        <a href="/docs/platforms">
          <Trans>Which files can be imported</Trans>
        </a>
      </p>
      <Platform podcastId={podcastId} source="apple" name="Apple Podcasts Connect" />
      <Platform podcastId={podcastId} source="spotify" name="Spotify for Creators" />
    </StatisticsPage>
  );
}

interface PlatformProps {
  readonly podcastId: string;
  readonly source: PlatformSource;
  readonly name: string;
}

/** The last import of a platform, and a place for the next one. */
function Platform({ podcastId, source, name }: PlatformProps) {
  const query = useInfiniteQuery(platformQuery(podcastId, source));
  const last = query.data?.pages[0]?.data;
  return (
    <section className={styles['part']} aria-labelledby={source}>
      <h2 id={source}>{name}</h2>
      <QueryView query={query}>
        {({ pages }) => (
          <>
            {pages[0] !== undefined && <Imported figures={pages[0].data} />}
            <PlatformTable
              podcastId={podcastId}
              name={name}
              episodes={pages.flatMap(({ data }) => data.episodes)}
            />
          </>
        )}
      </QueryView>
      {query.hasNextPage && (
        <Button isPending={query.isFetchingNextPage} onPress={() => query.fetchNextPage()}>
          <Trans>More episodes</Trans>
        </Button>
      )}
      {last?.may_import === true && (
        <ImportFile {...{ podcastId, source, name }} metrics={last.show_metrics} />
      )}
      {last?.included_in_plan === false && (
        <p className="meta">
          <Trans>
            This show’s plan doesn’t include other platforms’ figures, so you can’t import files.
          </Trans>
        </p>
      )}
    </section>
  );
}

function Imported({ figures }: { readonly figures: PlatformFigures }) {
  const { t } = useLingui();
  const metrics = useMetrics(figures.show_metrics);
  if (figures.imported_at === null) {
    return (
      <p className="meta">
        <Trans>Nothing imported yet.</Trans>
      </p>
    );
  }
  const imported = formatDateTime(figures.imported_at, readersZone());
  return (
    <>
      <p className="meta">
        {figures.as_of === null
          ? t`Imported ${imported}.`
          : t`Imported ${imported}; figures up to ${formatDay(figures.as_of)}.`}
      </p>
      <Totals figures={metrics} />
    </>
  );
}

interface PlatformTableProps {
  readonly podcastId: string;
  readonly name: string;
  readonly episodes: PlatformFigures['episodes'];
}

/** The episodes of a platform's file, each with the figures that it has. */
function PlatformTable({ podcastId, name, episodes }: PlatformTableProps) {
  const all = Object.assign({}, ...episodes.map(({ metrics }) => metrics));
  const columns = useMetrics(all);
  if (episodes.length === 0) return null;
  const save = () => {
    const head = ['Episode', ...columns.map(({ metric }) => metric)];
    const rows = episodes.map(({ title, metrics }) => [
      title,
      ...columns.map(({ metric }) => metrics[metric] ?? null),
    ]);
    saveFile(fileNameOf(name, 'csv'), new Blob([writeCsv([head, ...rows])], { type: 'text/csv' }));
  };
  return (
    <>
      <div className="sideways">
        <table className={`${styles['episodes']} ${styles['stacked']}`}>
          <thead>
            <tr>
              <th scope="col">
                <Trans>Episode</Trans>
              </th>
              {columns.map(({ metric, label }) => (
                <th key={metric} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {episodes.map((episode, index) => (
              // A file may name an episode twice.
              // biome-ignore lint/suspicious/noArrayIndexKey: the list only grows at its end.
              <Row key={index} podcastId={podcastId} episode={episode} columns={columns} />
            ))}
          </tbody>
        </table>
      </div>
      <div className={styles['save']}>
        <Button size="small" kind="quiet" onPress={save}>
          <Trans>Save as CSV</Trans>
        </Button>
      </div>
    </>
  );
}

interface RowProps {
  readonly podcastId: string;
  readonly episode: PlatformFigures['episodes'][number];
  readonly columns: ReturnType<typeof useMetrics>;
}

function Row({ podcastId, episode, columns }: RowProps) {
  const { episode_id: episodeId, title, metrics } = episode;
  const own = useMetrics(metrics);
  return (
    <tr>
      <th scope="row" dir="auto">
        {episodeId === null ? (
          title
        ) : (
          <Link
            to="/shows/$podcastId/statistics/episodes/$episodeId"
            params={{ podcastId, episodeId }}
          >
            {title}
          </Link>
        )}
      </th>
      {columns.map(({ metric, label }) => {
        const value = own.find((figure) => figure.metric === metric)?.value;
        return (
          <td key={metric} data-label={label}>
            {value === undefined ? '–' : formatNumber(value)}
          </td>
        );
      })}
    </tr>
  );
}
