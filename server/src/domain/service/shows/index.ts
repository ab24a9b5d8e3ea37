/**
 * What a user does to a show or an episode as a whole, across the modules that own its parts. `edits/`:
 * changes under the names of seed files. Owns no table.
 */
export { acceptOwnership } from './accept-ownership.ts';
export {
  changeEpisodes,
  type EpisodeOutcome,
  episodesChanges,
  restoreEpisodes,
} from './change-episodes.ts';
export { type DeletedPodcast, deleteOwnPodcast, deletePodcast } from './delete-podcast.ts';
export { duplicateEpisode } from './duplicate-episode.ts';
