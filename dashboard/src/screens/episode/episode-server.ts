import {
  type EpisodeChanges,
  type EpisodeDraft,
  loadEpisode,
  updateEpisode,
} from '../../api/episode.ts';
import { ApiError } from '../../api/errors.ts';
import type { EpisodeServer, Failure, SaveResult } from '../../editor/episode-server.ts';
import { stateOf } from './episode-fields.ts';

/** The server for the save engine. `onEpisode` gets every episode that it answers. */
export function createEpisodeServer(
  episodeId: string,
  onEpisode: (episode: EpisodeDraft) => void,
): EpisodeServer {
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

function refusalOf(error: unknown): SaveResult | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const { status, details, message } = error;
  if (status === 412) return { kind: 'conflict' };
  if (![400, 409, 413, 422].includes(status)) return undefined;
  const problems = Object.fromEntries(details.map((detail) => [detail.field, detail.message]));
  return { kind: 'refused', problems, message };
}

function failureOf(error: unknown): Failure {
  if (!(error instanceof ApiError) || error.status >= 500) return { kind: 'busy' };
  if (error.status === 0) return { kind: 'offline' };
  if (error.status === 401) return { kind: 'signed-out' };
  if (error.status === 403) return { kind: 'forbidden' };
  if (error.status === 404 || error.status === 410) return { kind: 'gone' };
  return { kind: 'busy' };
}
