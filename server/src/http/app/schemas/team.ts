import Type from 'typebox';
import { roles } from '../../../domain/foundation/enumerations.ts';
import type { GivenRole } from '../../../domain/publishing/podcasts/index.ts';
import { maxEpisodesAtOnce } from '../../../lib/limits.ts';
import { grantableCapabilities } from '../../../lib/team-roles.ts';
import { closed, email, id, moment, named, nullable, password } from './fields.ts';

/** The team of a podcast: members, invitations, team keys, transfer of ownership. */

const roleGiven = {
  role: Type.Unsafe<GivenRole['role']>(Type.String()),
  /** Only for `custom`, like the capabilities. */
  role_name: Type.Optional(Type.String()),
  capabilities: Type.Optional(
    Type.Unsafe<NonNullable<GivenRole['capabilities']>>(Type.Array(Type.String())),
  ),
};

export const ChangeMember = closed(roleGiven);
export const InviteMember = closed({ email, ...roleGiven });
export const SetTeamKeys = closed({ allowed: Type.Boolean() });
export const OfferOwnership = closed({ email, current_password: password });

const membership = {
  role: Type.String(),
  role_name: Type.String(),
  capabilities: Type.Array(Type.String()),
};

const givenRoles = roles.filter((role) => role !== 'owner');
const givenRole = Type.Enum(givenRoles, { type: 'string' });

const Member = named('Member', {
  user_id: id,
  name: Type.String(),
  email,
  ...membership,
  /** False: only those that credit them. */
  sees_all_episodes: Type.Boolean(),
  /** The episodes that credit them; the roster of the show does not count. */
  credited_episodes: Type.Integer(),
  created_at: moment,
  may_become: Type.Array(givenRole, {
    description: 'The roles that the user may give this member; none: they may not change it.',
  }),
  may_remove: Type.Boolean(),
});

export const Team = named('Team', {
  data: Type.Array(Member),
  may_invite_as: Type.Array(givenRole, {
    description: 'The roles in which the user may invite someone.',
  }),
  may_grant: Type.Array(Type.Enum([...grantableCapabilities], { type: 'string' }), {
    description: 'The capabilities that a custom role may include if the user gives it.',
  }),
});

export const CreditedEpisodes = named('CreditedEpisodes', {
  episode_ids: Type.Array(id),
  /** In the Podcasting 2.0 taxonomy: theirs, or what they get with the first credit. */
  person_role: Type.String(),
});
export const CreditMember = closed({
  episode_ids: Type.Array(id, { minItems: 1, maxItems: maxEpisodesAtOnce }),
});

export const Invitation = named('Invitation', {
  id,
  email,
  ...membership,
  created_at: moment,
  expires_at: moment,
  may_manage: Type.Boolean({
    description: 'Whether the user may withdraw it, or send it again.',
  }),
  link: Type.String({
    description:
      'A link to copy. Unlike the one in the email, it does not prove that its reader owns the email address.',
  }),
});

export const OwnershipOffer = nullable(
  named('OwnershipOffer', { email, created_at: moment, expires_at: moment }),
);

export const CutOff = named('CutOff', {
  blocked_keys: Type.Integer(),
  revoked_keys: Type.Integer(),
});
