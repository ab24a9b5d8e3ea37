import {
  type EpisodeChanges,
  type EpisodeDraft,
  loadEpisode,
  updateEpisode,
} from '../../api/episode.ts';
import type { DraftServer } from '../../editor/draft-server.ts';
import { failureOf, refusalOf } from '../../editor/failed-request.ts';
import { stateOf } from './episode-fields.ts';

/** The server for the save engine. `onEpisode` gets every episode that it answers. */
export function createEpisodeServer(
  episodeId: string,
  onEpisode: (episode: EpisodeDraft) => void,
): DraftServer {
  return {
    async load() {
      try {
        const episode = await loadEpisode(episodeId);
        onEpisode(episode);
        return { kind: 'loaded', ...stateOf(episode) };
      } catch (error) {
        return failureOf(error);
      }
    },
    async save(patch, revision) {
      try {
        const episode = await updateEpisode(episodeId, revision, patch as EpisodeChanges);
        onEpisode(episode);
        return { kind: 'saved', ...stateOf(episode) };
      } catch (error) {
        return refusalOf(error) ?? failureOf(error);
      }
    },
  };
}
