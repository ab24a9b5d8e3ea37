/**
 * What the world may see of podcasts and episodes, and where. Reads only: it owns no table, and
 * joins those of the modules before it into the views that the API, pages, feeds and files share.
 */
export type { EpisodeQuery } from './episodes.sql.ts';
export type { PublicAudioFile, PublicImage } from './files.sql.ts';
export { getPublicAudio, getPublicImage } from './find-file.ts';
export { countEpisodes, findCurrentSlug, findShow } from './find-show.ts';
export { publicAudio, type StoredAudio } from './public-audio.ts';
export {
  findCurrentEpisodeSlug,
  findPodcastOfEpisode,
  getLatestEpisode,
  getPublicEpisode,
  listFeedEpisodes,
  listPublicEpisodes,
} from './read-episodes.ts';
export type {
  EpisodePosition,
  ImageRef,
  PublicAudio,
  PublicCredit,
  PublicEpisode,
  PublicEpisodeDetail,
  Show,
} from './show.ts';
export {
  requireVisible,
  type ShowState,
  type Surface,
  type Visibility,
  visibilityOf,
} from './visibility.ts';
