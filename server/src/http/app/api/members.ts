import Type from 'typebox';
import {
  changeMember,
  checkMember,
  leavePodcast,
  listMembers,
  removeMember,
} from '../../../domain/podcasts/index.ts';
import type { Route } from '../../route.ts';
import { defineEndpoint } from '../endpoint.ts';
import { presentHolder } from '../present.ts';
import { ok } from '../response.ts';
import { ChangeMember, Member } from '../schemas/team.ts';

const path = '/app/api/podcasts/:podcastId';

export const memberRoutes: readonly Route[] = [
  defineEndpoint(`GET ${path}/members`, {
    id: 'listMembers',
    summary: 'The members of a podcast',
    response: ok(Type.Array(Member)),
    handle: async ({ ctx }, { params: { podcastId } }) =>
      (await listMembers(ctx, podcastId)).map(presentHolder),
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
  defineEndpoint(`POST ${path}/leave`, {
    id: 'leavePodcast',
    summary: 'Leaves a podcast',
    handle: ({ ctx }, { params: { podcastId } }) => leavePodcast(ctx, podcastId),
  }),
];
