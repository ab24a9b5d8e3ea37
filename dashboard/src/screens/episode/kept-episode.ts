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
    async queryFn() {
      const kept = await findCopy<EpisodeDraft>(episodeId);
      if (kept === null) return null;
      // A copy from an earlier version of the app has no choices of a status.
      const { may_become = [], to_confirm = [] } = kept.subject as Partial<EpisodeDraft>;
      return { ...kept, subject: { ...kept.subject, may_become, to_confirm } };
    },
    gcTime: 0,
  });

/** Stores a copy of the episode beside its draft while there is something to save. */
export function useKeptEpisode(userId: string, episode: EpisodeDraft, isDirty: boolean): void {
  useEffect(() => {
    void (isDirty ? keepCopy(episode.id, { userId, subject: episode }) : removeCopy(episode.id));
  }, [userId, episode, isDirty]);
}
