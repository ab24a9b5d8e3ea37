/** Changes of podcasts and episodes, under the names of seed files. */

export {
  changeEpisode,
  checkEpisodeChange,
  type EpisodeChange,
  episodeChangeFields,
  readEpisodeChange,
} from './episode-change.ts';
export {
  addPodcast,
  changePodcast,
  checkPodcastChange,
  type PodcastChange,
  podcastChangeFields,
  readPodcastChange,
} from './podcast-change.ts';
export type { TypedValues } from './read-values.ts';
