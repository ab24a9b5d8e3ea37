import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { PlatformFigures } from '../../api/platforms.ts';
import { Button } from '../../components/button.tsx';
import { writeCsv } from '../../lib/csv.ts';
import { formatNumber } from '../../lib/format.ts';
import { fileNameOf, saveFile } from '../../lib/save-file.ts';
import styles from './statistics.module.css';
import { useMetrics } from './use-metrics.ts';

interface Props {
  readonly podcastId: string;
  readonly name: string;
  readonly episodes: PlatformFigures['episodes'];
}

/** The episodes of a platform's file, each with the figures that it has. */
export function PlatformTable({ podcastId, name, episodes }: Props) {
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
