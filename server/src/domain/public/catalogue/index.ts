/**
 * What the public may see of podcasts and episodes, and where. Only reads: it owns no table, and
 * joins those of the modules before it into the views that the API, pages, feeds and files share.
 */

export {
  listPodroll,
  type PageChoices,
  previewChoices,
  type Recommendation,
} from './arranged-page.ts';
export type { DirectoryEntry, DirectoryPosition } from './directory.sql.ts';
export {
  listDirectory,
  listDirectoryCategories,
  listDirectoryPartEnds,
  listDirectorySitemaps,
} from './directory.ts';
export type { EpisodeQuery } from './episodes.sql.ts';
export type { PublicAudioFile, PublicImage } from './files.sql.ts';
export { getPublicAudio, getPublicImage, requireSendable, requireShown } from './find-file.ts';
export { countEpisodes, findCurrentSlug, findPublicPodcast } from './find-public-podcast.ts';
export { outlineShow, type ShowOutline, type TrailerElsewhere } from './outline-show.ts';
export type {
  BriefEpisode,
  EpisodeForPage,
  EpisodePosition,
  FeedCredit,
  FeedEpisode,
  ImageRef,
  ListedEpisode,
  NeighbourEpisode,
  PageCredit,
  PageEpisode,
  PublicCredit,
  PublicEpisode,
  PublicEpisodeDetail,
  PublicPodcast,
  RosterCredit,
} from './public-podcast.ts';
export { imageRef } from './public-podcasts.sql.ts';
export {
  findCurrentEpisodeSlug,
  findEpisodeForPreview,
  findFirstPlayable,
  findLatestPlayable,
  findNewestEpisode,
  findPodcastOfEpisode,
  getEpisodeForPage,
  getLatestEpisode,
  getPublicEpisode,
  listEpisodePages,
  listEpisodesBriefly,
  listEpisodesById,
  listFeedEpisodes,
  listPartEnds,
  listPublicEpisodes,
  type NewestEpisode,
} from './read-episodes.ts';
