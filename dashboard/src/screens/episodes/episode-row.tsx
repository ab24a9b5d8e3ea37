import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import type { EpisodeListItem } from '../../api/episodes.ts';
import { Moment } from '../../components/moment.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { formatDuration, formatNumber } from '../../lib/format.ts';
import { EpisodeMenu } from './episode-menu.tsx';
import styles from './episodes.module.css';

interface Props {
  readonly index: number;
  readonly episode: EpisodeListItem;
  readonly isSelected: boolean;
  readonly onToggle: (id: string, isOn: boolean) => void;
  /** The show's time zone; undefined while it loads. */
  readonly zone: string | undefined;
  readonly may: (capability: string) => boolean;
  /** Tells the list how high the row is. */
  readonly measure: (row: HTMLTableRowElement | null) => void;
}

export const EpisodeRow = memo(function EpisodeRow(props: Props) {
  const { t } = useLingui();
  const { index, episode, isSelected, onToggle, zone, may, measure } = props;
  const {
    id,
    podcast_id: podcastId,
    title,
    duration_seconds: length,
    downloads_7d: downloads,
  } = episode;
  const when = episode.scheduled_for ?? episode.published_at;
  const duration = length === null ? t`No audio` : formatDuration(length);
  const figure = downloads === null ? '–' : formatNumber(downloads);
  const badge = <StatusBadge status={episode.status} />;
  return (
    <tr ref={measure} data-index={index} className={styles['row']} aria-rowindex={index + 2}>
      <td className={styles['check']}>
        <input
          type="checkbox"
          aria-label={t`Select ${title}`}
          checked={isSelected}
          onChange={(event) => onToggle(id, event.target.checked)}
        />
      </td>
      <td>
        <Link
          to={`/shows/${podcastId}/episodes/${id}` as string}
          className={styles['name']}
          dir="auto"
          title={title}
        >
          {title}
        </Link>
        <span className={styles['under']}>
          {badge}{' '}
          <span className="meta">
            {when !== null && <Moment of={when} zone={zone} day={episode.scheduled_for === null} />}
          </span>
        </span>
      </td>
      <td className={styles['status']}>{badge}</td>
      <td className={styles['when']}>{when === null ? '–' : <Moment of={when} zone={zone} />}</td>
      <td className={styles['figure']}>{duration}</td>
      <td className={styles['figure']}>
        {downloads === null ? (
          figure
        ) : (
          <Link
            to="/shows/$podcastId/statistics/episodes/$episodeId"
            params={{ podcastId, episodeId: id }}
            aria-label={t`Statistics of ${title}: ${figure}`}
          >
            {figure}
          </Link>
        )}
      </td>
      <td className={styles['more']}>
        <EpisodeMenu episode={episode} may={may} />
      </td>
    </tr>
  );
});
