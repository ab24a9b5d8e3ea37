import { queryOptions } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { EpisodeDraft } from '../../api/episode.ts';
import { findCopy, keepCopy, removeCopy } from '../../offline/kept-copies.ts';

/** For when the server cannot be reached: the episode whose unsaved changes this browser keeps. */
export const keptEpisodeQuery = (episodeId: string) =>
  queryOptions({
    queryKey: ['kept', episodeId],
    queryFn: () => findCopy<EpisodeDraft>(episodeId),
    gcTime: 0,
  });

/** Keeps the episode beside its draft, as long as there is something to save. */
export function useKeptEpisode(userId: string, episode: EpisodeDraft, isDirty: boolean): void {
  useEffect(() => {
    void (isDirty ? keepCopy(episode.id, { userId, subject: episode }) : removeCopy(episode.id));
  }, [userId, episode, isDirty]);
}
