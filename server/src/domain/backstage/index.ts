/**
 * What the members of a show see of it, behind its public face: drafts, episodes to come, where an
 * episode came from. Reads only: it owns no table. Whether a caller may read at all is settled
 * before (`keys`); here stands what there is to see, each read in one statement.
 */
export type {
  BackstageEpisode,
  BackstageEpisodeDetail,
  EpisodeListPosition,
  ShowNotes,
} from './episode.ts';
export { type EpisodeListQuery, listBackstageEpisodes } from './list-episodes.ts';
export { listCredits, listRoster } from './list-people.ts';
export type { CreditedPerson, PeoplePosition, RosterMember } from './person.ts';
export { getBackstageEpisode, getShowNotes } from './read-episode.ts';
export {
  readTranscriptPage,
  type TranscriptPage,
  type TranscriptSegment,
} from './read-transcript.ts';
