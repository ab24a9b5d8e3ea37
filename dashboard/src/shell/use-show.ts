import { useQuery } from '@tanstack/react-query';
import { allMyPodcastsQuery, type MyPodcast } from '../api/podcasts.ts';

/** The show that is open, as the person's list of shows has it; undefined while it loads. */
export function useShow(podcastId: string | undefined): MyPodcast | undefined {
  const { data } = useQuery({ ...allMyPodcastsQuery, enabled: podcastId !== undefined });
  return data?.find(({ id }) => id === podcastId);
}
