import Type from 'typebox';
import { capabilities, roles } from '../../../domain/podcasts/index.ts';
import { acceptsTerms, closed, email, id, moment, nullable, password, token } from './fields.ts';

/** Who works on a podcast: members, invitations, keys of the team, handing over. */

const givenRole = {
  role: Type.Enum(
    roles.filter((role) => role !== 'owner'),
    { type: 'string' },
  ),
  /** Of `custom` alone, as the capabilities. */
  role_name: Type.Optional(Type.String()),
  capabilities: Type.Optional(Type.Array(Type.Enum([...capabilities], { type: 'string' }))),
};

export const ChangeMember = closed(givenRole);
export const InviteMember = closed({ email, ...givenRole });
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
