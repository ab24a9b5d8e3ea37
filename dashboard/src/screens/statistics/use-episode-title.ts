import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { episodeAnalyticsQuery, typicalQuery } from '../../api/analytics.ts';
import { useStatisticsSearch } from './use-statistics-search.ts';

/** The title of a published episode at once, else from the list of episodes. */
export function useEpisodeTitle(
  podcastId: string,
  episodeId: string | undefined,
): string | undefined {
  const { range } = useStatisticsSearch();
  const enabled = episodeId !== undefined;
  const { data } = useInfiniteQuery({ ...episodeAnalyticsQuery(podcastId, range), enabled });
  const { data: typical } = useQuery({ ...typicalQuery(episodeId ?? ''), enabled });
  const listed = data?.pages
    .flatMap((page) => page.data)
    .find((episode) => episode.episode_id === episodeId);
  return typical?.data.episode?.title ?? listed?.title;
}
