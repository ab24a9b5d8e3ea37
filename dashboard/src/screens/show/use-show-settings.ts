import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { showQuery } from '../../api/show-settings.ts';

/** The show of the address. */
export function useShowSettings() {
  const { podcastId = '' } = useParams({ strict: false });
  return useQuery(showQuery(podcastId));
}
