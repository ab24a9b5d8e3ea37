/**
 * Episodes: their fields, their states, and the rule of publication (`asOf`, and the column
 * `public_from` in queries). Tables: episodes, episode_slugs, deleted_episodes.
 */
export {
  archiveEpisode,
  deleteEpisode,
  type EarlierStatus,
  publishEpisode,
  restoreStatus,
  scheduleEpisode,
  unpublishEpisode,
} from './change-status.ts';
export { checkEpisode } from './check-episode.ts';
export type { ChangedContent } from './content-changes.sql.ts';
export {
  checkNewEpisode,
  createEpisode,
  limitNewEpisodes,
  type NewEpisode,
  type StartedEpisode,
  startEpisode,
} from './create-episode.ts';
export {
  asOf,
  type Confirmation,
  confirmations,
  type Episode,
  type EpisodeFields,
  type EpisodeSource,
  statusesAfter,
} from './episode.ts';
export { deleteEpisodesOfPodcast, selectIdsOfPodcast } from './episodes.sql.ts';
export { getEpisode } from './find-episode.ts';
export { type ContentChanges, listContentChanges, readSnapshot } from './list-content-changes.ts';
export { listEpisodes } from './list-episodes.ts';
export { listShowEpisodes } from './list-show-episodes.ts';
export type {
  EpisodeListPosition,
  EpisodeListQuery,
  MemberEpisode,
  MemberEpisodeDetail,
  ShowNotes,
} from './member-episode.ts';
export {
  isBehindCredential,
  type PublicAudio,
  publicAudio,
  type StoredAudio,
} from './public-audio.ts';
export {
  type DraftRights,
  type EpisodeDraft,
  listEpisodeChanges,
  readEpisodeDraft,
} from './read-draft.ts';
export { readEpisode, readShowNotes } from './read-episode.ts';
export {
  type EpisodeSort,
  episodeSorts,
  type ShowEpisode,
  type ShowEpisodePosition,
} from './show-episodes.ts';
export type { CleanShowNotes } from './show-notes.ts';
export { type EpisodeChanges, updateEpisode } from './update-episode.ts';
