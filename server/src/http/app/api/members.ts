import type { Context } from '../../../domain/foundation/context.ts';
import {
  type CreditedMember,
  creditMember,
  getRoleToCredit,
  listCreditedEpisodes,
} from '../../../domain/publishing/people/index.ts';
import {
  changeMember,
  checkMember,
  leavePodcast,
  readTeam,
  removeMember,
} from '../../../domain/publishing/podcasts/index.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import type { Route } from '../../route.ts';
import { defineEndpoint } from '../endpoint.ts';
import { presentHolder } from '../present.ts';
import { ok, whole } from '../response.ts';
import { ChangeMember, CreditedEpisodes, CreditMember, Team } from '../schemas/team.ts';

const path = '/app/api/podcasts/:podcastId';

export const memberRoutes: readonly Route[] = [
  defineEndpoint(`GET ${path}/members`, {
    id: 'listMembers',
    summary: 'The members of a podcast, and what the user may do with its team',
    response: whole(Team),
    async handle({ ctx }, { params: { podcastId } }) {
      const { members, ...may } = await readTeam(ctx, podcastId);
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
    handle: ({ ctx }, { params }) => readCredits(ctx, params),
  }),
  defineEndpoint(`POST ${path}/members/:userId/credits`, {
    id: 'creditMember',
    summary: "Credits a member on episodes; those that had the show's roster keep it",
    body: { json: CreditMember },
    response: ok(CreditedEpisodes),
    async handle({ ctx }, { params, body }) {
      await creditMember(ctx, params, body.episode_ids);
      return readCredits(ctx, params);
    },
  }),
  defineEndpoint(`POST ${path}/leave`, {
    id: 'leavePodcast',
    summary: 'Leaves a podcast',
    handle: ({ ctx }, { params: { podcastId } }) => leavePodcast(ctx, podcastId),
  }),
];

async function readCredits(ctx: Context, member: CreditedMember) {
  return {
    episode_ids: await listCreditedEpisodes(ctx, member),
    person_role: await getRoleToCredit(ctx, member),
  };
}
