import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { showQuery } from '../../api/show-settings.ts';

/** The settings of the show in the address. */
export function useShowSettings() {
  const { podcastId = '' } = useParams({ strict: false });
  return useQuery(showQuery(podcastId));
}
