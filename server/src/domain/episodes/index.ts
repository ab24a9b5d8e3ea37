/**
 * Episodes: their fields, their states, and the rule of publication (`asOf`, and the column
 * `public_from` in queries). Tables: episodes, episode_slugs.
 */
export {
  archiveEpisode,
  deleteEpisode,
  publishEpisode,
  scheduleEpisode,
  unpublishEpisode,
} from './change-status.ts';
export { checkNewEpisode, createEpisode, type NewEpisode } from './create-episode.ts';
export {
  asOf,
  type Episode,
  type EpisodeFields,
  type EpisodeSource,
  type EpisodeStatus,
  type EpisodeType,
  episodeStatuses,
  episodeTypes,
} from './episode.ts';
export { getEpisode } from './find-episode.ts';
export { type EpisodeChanges, updateEpisode } from './update-episode.ts';
