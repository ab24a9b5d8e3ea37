import { useInfiniteQuery } from '@tanstack/react-query';
import { episodeAnalyticsQuery, type Usual } from '../../api/analytics.ts';
import { useStatisticsSearch } from './use-statistics-search.ts';

/** The title of a published episode at once, else from the list of episodes. */
export function useEpisodeTitle(
  podcastId: string,
  episodeId: string,
  usual: Usual | undefined,
): string | undefined {
  const { range } = useStatisticsSearch();
  const { data } = useInfiniteQuery(episodeAnalyticsQuery(podcastId, range));
  const listed = data?.pages
    .flatMap((page) => page.data)
    .find((episode) => episode.episode_id === episodeId);
  return usual?.episode?.title ?? listed?.title;
}
