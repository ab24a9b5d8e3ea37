import { queryOptions } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { EpisodeDraft } from '../../api/episode.ts';
import { findCopy, keepCopy, removeCopy } from '../../offline/kept-copies.ts';

/**
 * Opens an episode with unsaved changes from this browser's copy if the server cannot be reached.
 */
export const keptEpisodeQuery = (episodeId: string) =>
  queryOptions({
    queryKey: ['kept', episodeId],
    queryFn: () => findCopy<EpisodeDraft>(episodeId),
    gcTime: 0,
  });

/** Stores a copy of the episode beside its draft while there is something to save. */
export function useKeptEpisode(userId: string, episode: EpisodeDraft, isDirty: boolean): void {
  useEffect(() => {
    void (isDirty ? keepCopy(episode.id, { userId, subject: episode }) : removeCopy(episode.id));
  }, [userId, episode, isDirty]);
}
