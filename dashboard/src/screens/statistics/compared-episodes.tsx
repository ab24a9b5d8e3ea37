import { Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { episodeAnalyticsQuery } from '../../api/analytics.ts';
import { Button } from '../../components/button.tsx';
import { Select } from '../../components/select.tsx';
import styles from './statistics.module.css';
import { useStatisticsSearch } from './use-statistics-search.ts';

interface Props {
  readonly podcastId: string;
  readonly episodeId: string;
  readonly ids: readonly string[];
}

const mostCompared = 5;

/** The choice of compared episodes, which is in the address. */
export function ComparedEpisodes({ podcastId, episodeId, ids }: Props) {
  const { t } = useLingui();
  const { change, range } = useStatisticsSearch();
  const { data } = useInfiniteQuery(episodeAnalyticsQuery(podcastId, range));
  const episodes = data?.pages.flatMap((page) => page.data) ?? [];
  const titleOf = (id: string) =>
    episodes.find((episode) => episode.episode_id === id)?.title ?? '…';
  const others = episodes.filter(
    ({ episode_id: id, status }) => status === 'published' && id !== episodeId && !ids.includes(id),
  );
  const compare = (list: readonly string[]) =>
    change({ with: list.length === 0 ? undefined : list.join(',') });
  return (
    <>
      {ids.length > 0 && (
        <ul className={styles['compared']}>
          {ids.map((id) => (
            <li key={id}>
              <span dir="auto">{titleOf(id)}</span>
              {ids.length > 1 && (
                <Button
                  kind="quiet"
                  size="icon"
                  aria-label={t`Do not compare ${titleOf(id)}`}
                  onPress={() => compare(ids.filter((other) => other !== id))}
                >
                  <X size={14} aria-hidden="true" />
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {ids.length < mostCompared && others.length > 0 && (
        <Select
          label={t`Compare with`}
          value=""
          onChange={(id) => compare([...ids, id])}
          options={others.map(({ episode_id: value, title: label }) => ({ value, label }))}
        />
      )}
      {ids.length >= mostCompared && (
        <p className="meta">
          <Trans>Remove an episode to compare with another one.</Trans>
        </p>
      )}
    </>
  );
}
