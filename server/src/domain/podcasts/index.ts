/**
 * Podcasts, the slugs they have and had, their members and what each role may do.
 * Tables: podcasts, podcast_slugs, podcast_members, invitations, ownership_offers.
 */
export { findMembership } from './acting-membership.ts';
export {
  activatePodcast,
  pausePodcast,
  resumePodcast,
  suspendPodcast,
} from './change-status.ts';
export { checkNewPodcast, createPodcast, type NewPodcast } from './create-podcast.ts';
export {
  findPodcast,
  findPodcastByGuid,
  getPodcastBySlug,
  isSlugTaken,
} from './find-podcast.ts';
export { listMyPodcasts, type MyPodcast, type PodcastPosition } from './list-my-podcasts.ts';
export {
  type HostingType,
  hostingTypes,
  type PlayerTheme,
  type Podcast,
  type PodcastFields,
  type PodcastStatus,
  playerThemes,
  podcastStatuses,
  type ShowType,
} from './podcast.ts';
export { lockPodcast } from './podcasts.sql.ts';
export { requireCapability } from './require-capability.ts';
export { requireOwner } from './require-owner.ts';
export {
  type Capability,
  capabilities,
  capabilitiesOf,
  type Membership,
  type Role,
  roleNameOf,
  roles,
  rolesWith,
} from './roles.ts';
export {
  acceptOwnership,
  declineOwnership,
  getOwnershipOffer,
} from './team/accept-ownership.ts';
export { addMember } from './team/add-member.ts';
export { acceptInvitation, declineInvitation, getInvitation } from './team/answer-invitation.ts';
export { changeMember, leavePodcast, listMembers, removeMember } from './team/change-member.ts';
export type { Invitation, ReceivedInvitation } from './team/invitation.ts';
export { deleteEndedOffers } from './team/invitations.sql.ts';
export { checkInvitation, inviteMember, type NewInvitation } from './team/invite-member.ts';
export { checkMember, type GivenRole, type Member, type NewMember } from './team/member.ts';
export {
  findOwnershipOffer,
  offerOwnership,
  withdrawOwnership,
} from './team/offer-ownership.ts';
export { listInvitations, revokeInvitation } from './team/open-invitations.ts';
export type { OwnershipOffer, ReceivedOffer } from './team/ownership-offer.ts';
export { setTeamKeys } from './team/set-team-keys.ts';
export { getPodcast, updatePodcast } from './update-podcast.ts';
