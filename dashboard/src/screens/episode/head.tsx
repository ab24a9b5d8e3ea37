import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useEditing } from './editing.ts';
import styles from './episode.module.css';

/** What is edited, and whether it is public. */
export function Head() {
  const { t } = useLingui();
  const { values, episode, show } = useEditing();
  return (
    <header className={styles['head']}>
      <p className={styles['within']}>
        <Link to="/shows/$podcastId/episodes" params={{ podcastId: episode.podcast_id }}>
          {show?.title ?? <Trans>Episodes</Trans>}
        </Link>
      </p>
      <div className={styles['title']}>
        <h1 dir="auto">{values.title.trim() || t`Episode without a title`}</h1>
        <StatusBadge status={episode.status} />
      </div>
    </header>
  );
}
