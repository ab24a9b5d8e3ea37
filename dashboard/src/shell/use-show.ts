import { useQuery } from '@tanstack/react-query';
import { type MyPodcast, myPodcastQuery } from '../api/podcasts.ts';
import { isKnownZone, readersZone } from '../lib/time-zone.ts';

/** The show that is open, with the person's role in it; undefined while it loads. */
export function useShow(podcastId: string | undefined): MyPodcast | undefined {
  const { data } = useQuery({
    ...myPodcastQuery(podcastId ?? ''),
    enabled: podcastId !== undefined,
  });
  return data ?? undefined;
}

/**
 * The zone of the show, for the dates of its episodes; the reader's own while it loads, and if their
 * browser does not know it.
 */
export function useShowZone(podcastId: string): string {
  const zone = useShow(podcastId)?.timezone;
  return zone !== undefined && isKnownZone(zone) ? zone : readersZone();
}
