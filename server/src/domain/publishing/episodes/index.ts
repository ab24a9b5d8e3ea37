/**
 * Episodes: their fields, their states, and the rule of publication (`asOf`, and the column
 * `public_from` in queries). Tables: episodes, episode_slugs, deleted_episodes, publication_clocks.
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
export { checkSoundbites } from './check-soundbites.ts';
export { consumePublications, hasNewPublications } from './consume-publications.ts';
export type { ChangedContent } from './content-changes.sql.ts';
export {
  checkEpisode,
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
  isBehindCredential,
  type PublicAudio,
  publicAudio,
  type StoredAudio,
  statusesAfter,
} from './episode.ts';
export { selectEpisodeIds } from './episode-ids.sql.ts';
export { deleteEpisodesOfPodcast, selectIdsOfPodcast } from './episodes.sql.ts';
export { type ContentChanges, listContentChanges, readSnapshot } from './list-content-changes.ts';
export { listEpisodes, listShowEpisodes } from './list-episodes.ts';
export { listSoundbites } from './list-soundbites.ts';
export type {
  EpisodeListPosition,
  EpisodeListQuery,
  MemberEpisode,
  MemberEpisodeDetail,
  ShowNotes,
} from './member-episode.ts';
export {
  type DraftRights,
  type EpisodeDraft,
  listEpisodeChanges,
  readEpisodeDraft,
} from './read-draft.ts';
export { getEpisode, readEpisode, readShowNotes } from './read-episode.ts';
export {
  type EpisodeSort,
  episodeSorts,
  type ShowEpisode,
  type ShowEpisodePosition,
} from './show-episodes.sql.ts';
export { type EpisodeChanges, editEpisode, updateEpisode } from './update-episode.ts';
