import Type from 'typebox';
import {
  type Capability,
  checkInvitation,
  checkMember,
  type Role,
} from '../../../domain/podcasts/index.ts';
import { refusing } from '../../validation.ts';
import { acceptsTerms, closed, email, id, moment, nullable, password, token } from './fields.ts';

/** Who works on a podcast: members, invitations, keys of the team, handing over. */

const givenRole = {
  role: Type.Unsafe<Role>(Type.String()),
  /** Of `custom` alone, as the capabilities. */
  role_name: Type.Optional(Type.String()),
  capabilities: Type.Optional(Type.Unsafe<Capability[]>(Type.Array(Type.String()))),
};

export const ChangeMember = refusing(closed(givenRole), ({ role_name: roleName, ...given }) =>
  checkMember({ ...given, roleName }),
);
export const InviteMember = refusing(
  closed({ email, ...givenRole }),
  ({ role_name: roleName, ...given }) => checkInvitation({ ...given, roleName }),
);
export const SetTeamKeys = closed({ allowed: Type.Boolean() });
export const OfferOwnership = closed({ email, current_password: password });

/** Of the letter that invites, or offers. */
export const ByLetter = closed({ token });
export const JoinBySignUp = closed({
  token,
  name: Type.String(),
  password,
  accepts_terms: acceptsTerms,
});
export const AcceptOwnership = closed({ token, team_keys: Type.Boolean() });

const membership = {
  role: Type.String(),
  role_name: Type.String(),
  capabilities: Type.Array(Type.String()),
};

export const Member = Type.Object({
  user_id: id,
  name: Type.String(),
  email,
  ...membership,
  created_at: moment,
});

const invitation = { email, ...membership, created_at: moment, expires_at: moment };
export const Invitation = Type.Object({ id, ...invitation });
export const ReceivedInvitation = Type.Object({
  podcast_title: Type.String(),
  inviter_name: Type.String(),
  /** Whether the address has an account to sign in with; if not, one is made on accepting. */
  has_account: Type.Boolean(),
  ...invitation,
});

const offer = { email, created_at: moment, expires_at: moment };
export const OwnershipOffer = nullable(Type.Object(offer));
export const ReceivedOffer = Type.Object({
  podcast_title: Type.String(),
  owner_name: Type.String(),
  has_account: Type.Boolean(),
  ...offer,
});

/** The podcast that was joined, or moved. */
export const Joined = Type.Object({ podcast_id: id });
export const CutOff = Type.Object({ blocked_keys: Type.Integer(), revoked_keys: Type.Integer() });
