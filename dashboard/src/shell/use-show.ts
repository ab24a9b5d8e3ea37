import { useQuery } from '@tanstack/react-query';
import { type MyPodcast, myPodcastQuery } from '../api/podcasts.ts';

/** The show that is open, with the person's role in it; undefined while it loads. */
export function useShow(podcastId: string | undefined): MyPodcast | undefined {
  const { data } = useQuery({
    ...myPodcastQuery(podcastId ?? ''),
    enabled: podcastId !== undefined,
  });
  return data ?? undefined;
}
