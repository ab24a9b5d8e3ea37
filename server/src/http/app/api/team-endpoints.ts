import Type from 'typebox';
import { cutOffPodcastKeys } from '../../../domain/access/keys/index.ts';
import type { Context } from '../../../domain/foundation/context.ts';
import { roles } from '../../../domain/foundation/enumerations.ts';
import type { InTurn } from '../../../domain/foundation/take-turn.ts';
import {
  type CreditedMember,
  creditMember,
  getRoleToCredit,
  listCreditedEpisodes,
} from '../../../domain/publishing/people/index.ts';
import {
  changeMember,
  checkInvitation,
  checkMember,
  findOwnershipOffer,
  type GivenRole,
  inviteMember,
  leavePodcast,
  listInvitations,
  offerOwnership,
  readTeam,
  removeMember,
  revokeInvitation,
  setTeamKeys,
  withdrawOwnership,
} from '../../../domain/publishing/podcasts/index.ts';
import { maxEpisodesAtOnce } from '../../../lib/limits.ts';
import { grantableCapabilities } from '../../../lib/team-roles.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import { turnOf } from '../../limits/turn-of.ts';
import type { Route } from '../../route.ts';
import { defineEndpoint } from '../endpoint.ts';
import { closed, email, id, moment, named, nullable, password } from '../field-schemas.ts';
import { created, ok, whole } from '../response.ts';
import { presentHolder } from './podcasts-endpoints.ts';

/** The team of a podcast: members, invitations, team keys, transfer of ownership. */

const roleGiven = {
  role: Type.Unsafe<GivenRole['role']>(Type.String()),
  /** Only for `custom`, like the capabilities. */
  role_name: Type.Optional(Type.String()),
  capabilities: Type.Optional(
    Type.Unsafe<NonNullable<GivenRole['capabilities']>>(Type.Array(Type.String())),
  ),
};

const ChangeMember = closed(roleGiven);
const InviteMember = closed({ email, ...roleGiven });
const SetTeamKeys = closed({ allowed: Type.Boolean() });
const OfferOwnership = closed({ email, current_password: password });

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

const Team = named('Team', {
  data: Type.Array(Member),
  may_invite_as: Type.Array(givenRole, {
    description: 'The roles in which the user may invite someone.',
  }),
  may_grant: Type.Array(Type.Enum([...grantableCapabilities], { type: 'string' }), {
    description: 'The capabilities that a custom role may include if the user gives it.',
  }),
});

const CreditedEpisodes = named('CreditedEpisodes', {
  episode_ids: Type.Array(id),
  /** In the Podcasting 2.0 taxonomy: theirs, or what they get with the first credit. */
  person_role: Type.String(),
});
const CreditMember = closed({
  episode_ids: Type.Array(id, { minItems: 1, maxItems: maxEpisodesAtOnce }),
});

const Invitation = named('Invitation', {
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

const OwnershipOffer = nullable(
  named('OwnershipOffer', { email, created_at: moment, expires_at: moment }),
);

const CutOff = named('CutOff', {
  blocked_keys: Type.Integer(),
  revoked_keys: Type.Integer(),
});

const path = '/app/api/podcasts/:podcastId';

export const memberRoutes: readonly Route[] = [
  defineEndpoint(`GET ${path}/members`, {
    id: 'listMembers',
    summary: 'The members of a podcast, and what the user may do with its team',
    response: whole(Team),
    async handle({ ctx, session }, { http, params: { podcastId }, reply }) {
      const inTurn = turnOf(http, session.userId, reply);
      const { members, ...may } = await inTurn(() => readTeam(ctx, podcastId));
      return { data: members.map(presentHolder), ...wireNames(may) };
    },
  }),
  defineEndpoint(`PUT ${path}/members/:userId`, {
    id: 'changeMember',
    summary: 'Gives a member another role',
    body: { json: ChangeMember },
    check(_http, { body: { role_name: roleName, ...given }, refuse }) {
      refuse(...checkMember({ ...given, roleName }));
    },
    handle: ({ ctx }, { params, body: { role_name: roleName, ...given } }) =>
      changeMember(ctx, { ...params, ...given, roleName }),
  }),
  defineEndpoint(`DELETE ${path}/members/:userId`, {
    id: 'removeMember',
    summary: 'Removes a member',
    handle: ({ ctx }, { params }) => removeMember(ctx, params),
  }),
  defineEndpoint(`GET ${path}/members/:userId/credits`, {
    id: 'listCreditedEpisodes',
    summary: 'The episodes that credit a member directly, which are those that a co-host sees',
    response: ok(CreditedEpisodes),
    handle: ({ ctx, session }, { http, params, reply }) =>
      readCredits(ctx, params, turnOf(http, session.userId, reply)),
  }),
  defineEndpoint(`POST ${path}/members/:userId/credits`, {
    id: 'creditMember',
    summary: "Credits a member on episodes; those that had the show's roster keep it",
    body: { json: CreditMember },
    response: ok(CreditedEpisodes),
    async handle({ ctx, session }, { http, params, body, reply }) {
      await creditMember(ctx, params, body.episode_ids);
      return readCredits(ctx, params, turnOf(http, session.userId, reply));
    },
  }),
  defineEndpoint(`POST ${path}/leave`, {
    id: 'leavePodcast',
    summary: 'Leaves a podcast',
    handle: ({ ctx }, { params: { podcastId } }) => leavePodcast(ctx, podcastId),
  }),
];

async function readCredits(ctx: Context, member: CreditedMember, inTurn: InTurn) {
  return {
    episode_ids: await inTurn(() => listCreditedEpisodes(ctx, member)),
    person_role: await getRoleToCredit(ctx, member),
  };
}

const invitationsPath = '/app/api/podcasts/:podcastId/invitations';

export const invitationRoutes: readonly Route[] = [
  defineEndpoint(`GET ${invitationsPath}`, {
    id: 'listInvitations',
    summary: 'The open invitations to a podcast',
    response: ok(Type.Array(Invitation)),
    handle: async ({ ctx }, { params: { podcastId } }) =>
      (await listInvitations(ctx, podcastId)).map(presentHolder),
  }),
  defineEndpoint(`POST ${invitationsPath}`, {
    id: 'inviteMember',
    summary: 'Invites someone to a podcast',
    body: { json: InviteMember },
    response: created(Invitation),
    check(_http, { body: { role_name: roleName, ...given }, refuse }) {
      refuse(...checkInvitation({ ...given, roleName }));
    },
    async handle({ ctx }, { params, body: { role_name: roleName, ...given } }) {
      return presentHolder(await inviteMember(ctx, { ...params, ...given, roleName }));
    },
  }),
  defineEndpoint(`DELETE ${invitationsPath}/:invitationId`, {
    id: 'revokeInvitation',
    summary: 'Withdraws an invitation',
    handle: ({ ctx }, { params }) => revokeInvitation(ctx, params),
  }),
];

export const teamKeyRoutes: readonly Route[] = [
  defineEndpoint(`PUT ${path}/team-keys`, {
    id: 'setTeamKeys',
    summary: 'Sets whether members may use keys',
    body: { json: SetTeamKeys },
    handle: ({ ctx }, { params, body }) => setTeamKeys(ctx, { ...params, ...body }),
  }),
  // Existing keys lose access to the podcast for good; keys created later are not affected.
  defineEndpoint(`POST ${path}/keys/cut-off`, {
    id: 'cutOffKeys',
    summary: 'Removes the podcast from all existing keys, permanently',
    response: ok(CutOff),
    handle: async ({ ctx }, { params: { podcastId } }) =>
      wireNames(await cutOffPodcastKeys(ctx, podcastId)),
  }),
];

const offerPath = '/app/api/podcasts/:podcastId/ownership-offer';

export const ownershipRoutes: readonly Route[] = [
  defineEndpoint(`GET ${offerPath}`, {
    id: 'getOwnershipOffer',
    summary: "The podcast's open transfer offer, or null",
    response: ok(OwnershipOffer),
    handle: async ({ ctx }, { params: { podcastId } }) =>
      wireNames((await findOwnershipOffer(ctx, podcastId)) ?? null),
  }),
  defineEndpoint(`POST ${offerPath}`, {
    id: 'offerOwnership',
    summary: 'Offers a podcast to someone',
    body: { json: OfferOwnership },
    response: created(OwnershipOffer),
    async handle({ ctx }, { params, body: { email, current_password: currentPassword } }) {
      return wireNames(await offerOwnership(ctx, { ...params, email, currentPassword }));
    },
  }),
  defineEndpoint(`DELETE ${offerPath}`, {
    id: 'withdrawOwnership',
    summary: 'Withdraws the offer',
    handle: ({ ctx }, { params: { podcastId } }) => withdrawOwnership(ctx, podcastId),
  }),
];
