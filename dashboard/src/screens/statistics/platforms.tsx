import { Trans, useLingui } from '@lingui/react/macro';
import { useParams } from '@tanstack/react-router';
import { Platform } from './platform.tsx';
import styles from './statistics.module.css';
import { StatisticsPage } from './statistics-page.tsx';

/** Figures of other platforms, as they count. */
export function Platforms() {
  const { t } = useLingui();
  const { podcastId = '' } = useParams({ strict: false });
  return (
    <StatisticsPage podcastId={podcastId} title={t`Other platforms`}>
      <p className={styles['intro']}>
        <Trans>
          Apple and Spotify count plays and followers in their apps. Import what they let you
          export; it is shown next to your downloads, never added.
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
