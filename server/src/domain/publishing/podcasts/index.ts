/**
 * Podcasts, their current and former slugs, their members, invitations and ownership offers. What
 * each role may do is in `permissions`.
 * Tables: podcasts, podcast_slugs, podcast_members, invitations, ownership_offers.
 */
export { tryParseAppleCategory } from '../../../lib/apple-categories.ts';
export {
  activatePodcast,
  endMove,
  endOverageSuspension,
  movePodcast,
  pausePodcast,
  resumePodcast,
  setPodcastStatus,
  suspendForOverage,
  suspendPodcast,
} from './change-status.ts';
export { checkCategories } from './check-categories.ts';
export {
  checkNewPodcast,
  checkPodcast,
  claimSlug,
  createPodcast,
  type NewPodcast,
  type StartedPodcast,
  slugsOfUser,
  startPodcast,
} from './create-podcast.ts';
export { deletePodcastRows, lockForDeletion } from './delete-podcast-rows.ts';
export {
  changeElements,
  checkAllElements,
  checkElements,
  type ElementsOf,
  readElements,
  splitElements,
} from './elements/change-elements.ts';
export {
  checkExtraElements,
  type ExtraElement,
  type FeedLevel,
  nextExpiryOf,
  unexpiredElements,
} from './extra-element.ts';
export {
  findPodcast,
  findPodcastByGuid,
  getPodcastBySlug,
  isSlugTaken,
  listSlugsOfAccount,
} from './find-podcast.ts';
export { limitSlugs } from './limit-slugs.ts';
export { listMyPodcasts, listPodcasts, listPreviousSlugs } from './list-podcasts.ts';
export { insertMember } from './members.sql.ts';
export { areLongNotes, cleanLongNotes, sanitizeNotes } from './notes/clean-long-notes.ts';
export { cleanPageText } from './notes/clean-page-text.ts';
export { type CleanShowNotes, cleanShowNotes } from './notes/show-notes.ts';
export {
  type Artwork,
  type ListedPodcast,
  type MyPodcast,
  type MyPodcastsQuery,
  mediums,
  type Podcast,
  type PodcastFields,
  type PodcastPosition,
  type PodcastSettings,
} from './podcast.ts';
export type { PodcastRight, PodcastRights } from './podcast-rights.ts';
export { isOwner } from './podcast-rights.ts';
export { lockPodcast, verifiedDomain } from './podcasts.sql.ts';
export { readPodcast, readPodcastSettings } from './read-settings.ts';
export { findSlugAtDomain, isRedirectedBack, refuseOwnFeed } from './refuse-own-feed.ts';
export {
  acceptInvitation,
  addMember,
  declineInvitation,
  getInvitation,
} from './team/answer-invitation.ts';
export {
  declineOwnership,
  getOwnershipOffer,
  moveToNewOwner,
} from './team/answer-offer.ts';
export {
  changeMember,
  leavePodcast,
  listMembers,
  readTeam,
  removeMember,
} from './team/change-member.ts';
export { setTeamKeys } from './team/change-team.ts';
export { findMembership } from './team/find-membership.ts';
export type { Invitation, ReceivedInvitation } from './team/invitation.ts';
export { deleteEndedOffers, deleteOffersOf } from './team/invitations.sql.ts';
export {
  checkInvitation,
  inviteMember,
  listInvitations,
  type NewInvitation,
  revokeInvitation,
} from './team/invite-member.ts';
export {
  checkMember,
  type GivenRole,
  type Member,
  type NewMember,
  type Team,
} from './team/member.ts';
export {
  findOwnershipOffer,
  offerOwnership,
  withdrawOwnership,
} from './team/offer-ownership.ts';
export type { OwnershipOffer, ReceivedOffer } from './team/ownership.sql.ts';
export { readTxtFields, writeTxtFields } from './txt-fields.ts';
export {
  editPodcast,
  endFeedRedirects,
  getPodcast,
  type PodcastChanges,
  updatePodcast,
} from './update-podcast.ts';
export {
  type Channel,
  type PublicPodcastState,
  requireVisible,
  type Visibility,
  visibilityOf,
} from './visibility.ts';
