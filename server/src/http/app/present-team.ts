import type { Static } from 'typebox';
import {
  capabilitiesOf,
  type Invitation,
  type Member,
  type Membership,
  type OwnershipOffer,
  type ReceivedInvitation,
  type ReceivedOffer,
  roleNameOf,
} from '../../domain/podcasts/index.ts';
import type * as schemas from './schemas/team.ts';

export function presentMembership(membership: Membership) {
  return {
    role: membership.role,
    role_name: roleNameOf(membership),
    capabilities: [...capabilitiesOf(membership)],
  };
}

export function presentMember(member: Member): Static<typeof schemas.Member> {
  return {
    user_id: member.userId,
    name: member.name,
    email: member.email,
    ...presentMembership(member),
    created_at: member.createdAt.toISOString(),
  };
}

export function presentInvitation(invitation: Invitation): Static<typeof schemas.Invitation> {
  return {
    id: invitation.id,
    ...presentMembership(invitation),
    ...presentLetter(invitation),
  };
}

export function presentReceivedInvitation(
  invitation: ReceivedInvitation,
): Static<typeof schemas.ReceivedInvitation> {
  return {
    podcast_title: invitation.podcastTitle,
    inviter_name: invitation.inviterName,
    has_account: invitation.hasAccount,
    ...presentMembership(invitation),
    ...presentLetter(invitation),
  };
}

export function presentReceivedOffer(offer: ReceivedOffer): Static<typeof schemas.ReceivedOffer> {
  return {
    podcast_title: offer.podcastTitle,
    owner_name: offer.ownerName,
    has_account: offer.hasAccount,
    ...presentLetter(offer),
  };
}

/** To whom a letter went, and how long what it holds is good. */
export function presentLetter(letter: Pick<OwnershipOffer, 'email' | 'createdAt' | 'expiresAt'>) {
  return {
    email: letter.email,
    created_at: letter.createdAt.toISOString(),
    expires_at: letter.expiresAt.toISOString(),
  };
}
